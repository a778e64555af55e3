"""A machine as SVG, drawn by Graphviz on this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection

from fsmvoice.errors import DrawingFailed
from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.svg_style import SVG_STYLE
from fsmvoice.model.config import FsmConfig

PATIENCE = 20.0
"""Seconds that Graphviz has for one picture."""


def to_svg(config: FsmConfig, *, active: Collection[str] = ()) -> str:
    """Draw a machine with the program `dot`. The picture is light or dark as its reader's system is.

    `active` lights states up as `to_dot` does; ids and classes are those of `to_dot`.

    Raises:
        DefinitionError: if the config does not hold together.
        UnknownName: if an active state is not one of the machine's.
        DrawingFailed: if `dot` is not installed, fails, or takes longer than 20 seconds.
    """
    return _finished(_drawn(to_dot(config, active=active)))


def _drawn(dot: str) -> str:
    program = shutil.which("dot")
    if program is None:
        raise DrawingFailed(
            "an SVG is drawn by Graphviz, and its program `dot` is not installed: "
            "`apt install graphviz` (Debian, Ubuntu), `brew install graphviz` (macOS); or ask for Mermaid text, "
            "which GitHub and most editors draw"
        )
    try:
        # S603: the program is Graphviz, and what users wrote goes to it as text on stdin
        done = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True, timeout=PATIENCE, check=True)  # noqa: S603 - `dot`, with its input as data
    except subprocess.TimeoutExpired:
        raise DrawingFailed(
            f"Graphviz did not finish within {PATIENCE:g} seconds; ask for Mermaid text or DOT instead"
        ) from None
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None)
        told = said.decode(errors="replace").strip()[:400] if said else str(error)
        raise DrawingFailed(f"Graphviz failed: {told}") from None
    svg = done.stdout.decode(errors="replace")
    if "<svg" not in svg:
        raise DrawingFailed(f"Graphviz gave no SVG; {program} is something else")
    return svg


def _finished(svg: str) -> str:
    """Graphviz's SVG without its file header, for an HTML page as well as a file, and with the style sheet."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<!--.*?-->\n?", "", body, flags=re.DOTALL)
    return body.replace("<svg ", '<svg class="fsmvoice" ', 1).replace(">", f">\n<style>\n{SVG_STYLE}</style>", 1)
