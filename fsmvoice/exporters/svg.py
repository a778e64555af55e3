"""`to_svg`: a machine as SVG, drawn by a local Graphviz."""

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
"""Timeout for Graphviz, in seconds."""


def to_svg(config: FsmConfig, *, active: Collection[str] = ()) -> str:
    """Draw a machine as SVG with Graphviz's `dot`. The picture follows the viewer's light or dark colour scheme.

    Its element ids and classes are those of `to_dot`.

    Args:
        active: states to highlight, by dotted path, `#id`, or unambiguous name. Only the innermost are highlighted.

    Raises:
        DefinitionError: if the config is invalid.
        UnknownName: if the machine has no such state.
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
        done = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True, timeout=PATIENCE, check=True)  # noqa: S603 - the program is `dot`; user input goes to its stdin only
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
        raise DrawingFailed(f"{program} wrote no SVG, so it is probably not Graphviz")
    return svg


def _finished(svg: str) -> str:
    """Graphviz's SVG with the style sheet, and without the file header, so that it can be part of an HTML page."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<!--.*?-->\n?", "", body, flags=re.DOTALL)
    return body.replace("<svg ", '<svg class="fsmvoice" ', 1).replace(">", f">\n<style>\n{SVG_STYLE}</style>", 1)
