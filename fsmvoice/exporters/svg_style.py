"""The style sheet of DOT pictures in files, notebooks and pages, for light and dark colour schemes."""

from __future__ import annotations

SVG_STYLE = """\
.fsmvoice .arc.taken path { stroke-width: 3; stroke: #b7791f; }
.fsmvoice .state.active > path { fill: #ffe9a8; stroke: #b7791f; stroke-width: 2; }
.fsmvoice .state.compound.active > path, .fsmvoice .state.parallel.active > path { fill: #fff7df; }
@media (prefers-color-scheme: dark) {
  .fsmvoice > g > polygon { fill: #15191f; }
  .fsmvoice text { fill: #e8ecf1; }
  .fsmvoice text[fill="#5b6472"] { fill: #aab4c2; }
  .fsmvoice .state > path { stroke: #7d899b; }
  .fsmvoice .state.atomic > path, .fsmvoice .state.final > path, .fsmvoice .state.history > path { fill: #252c36; }
  .fsmvoice .state.final > path:nth-of-type(2) { fill: none; }
  .fsmvoice .arc path { stroke: #aab4c2; }
  .fsmvoice .arc polygon { stroke: #aab4c2; fill: #aab4c2; }
  .fsmvoice .initial > ellipse { stroke: #aab4c2; fill: #aab4c2; }
  .fsmvoice .whole > ellipse { stroke: #aab4c2; fill: #15191f; }
  .fsmvoice .arc.taken path { stroke: #f6c453; }
  .fsmvoice .state.active > path { fill: #5c4410; stroke: #f6c453; }
  .fsmvoice .state.final.active > path:nth-of-type(2) { fill: none; }
  .fsmvoice .state.compound.active > path, .fsmvoice .state.parallel.active > path { fill: #33290f; }
}
"""
"""CSS for the SVG of `to_dot`, inside `<svg class="fsmvoice">`. A page may override it with later rules."""
