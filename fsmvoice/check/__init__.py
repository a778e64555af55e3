"""Static checks of machines: `fsmvoice check` in code."""

from fsmvoice.check.checking import Checked, check
from fsmvoice.check.finding import Finding, Severity
from fsmvoice.check.registry import RULES
from fsmvoice.check.rule import Rule

__all__ = ["RULES", "Checked", "Finding", "Rule", "Severity", "check"]
