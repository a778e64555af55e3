"""What holds for every test: a missing tool skips with a message, and fails where the tools were promised."""

import os
from collections.abc import Generator

import pytest

TOOLS_ARE_PROMISED = os.environ.get("FSMVOICE_REQUIRE_TOOLS") == "1"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where FSMVOICE_REQUIRE_TOOLS=1 says that everything was installed, a skip is a failure."""
    report = yield
    if TOOLS_ARE_PROMISED and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} was skipped where every tool was promised: {call.excinfo and call.excinfo.value}"
        )
    return report
