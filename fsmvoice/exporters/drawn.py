"""What every kind of picture shows of a machine: its arcs, its highlighted states, and their labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from fsmvoice.errors import UnknownName, did_you_mean
from fsmvoice.model.config import Named, StateConfig, TransitionConfig
from fsmvoice.model.naming import snake_case
from fsmvoice.model.tree import Tree, TreeNode


@dataclass(frozen=True, slots=True, eq=False)
class DrawnArc:
    """An arc of `source`. `number` counts the arcs of the machine; `event` is '' for arcs not in `on`."""

    number: int
    source: TreeNode
    event: str
    trigger: str
    """The trigger as shown in a picture: an event, `after 5 min`, `done`."""
    arc: TransitionConfig
    targets: tuple[TreeNode, ...]

    @property
    def words(self) -> list[str]:
        """The parts of its label: trigger, guard, actions. An action named like its event is left out."""
        actions = [action for action in self.arc.actions if action.type != snake_case(self.event)]
        return label_words(self.trigger, self.arc.guard, actions)

    @property
    def remark(self) -> str:
        """A targetless arc as a line in its state's box."""
        if not self.arc.forbids:
            return " ".join(self.words)
        return f"{self.trigger} is forbidden" + (f" [{self.arc.guard.type}]" if self.arc.guard else "")


def arcs_in(tree: Tree) -> Iterator[DrawnArc]:
    """Every arc in document order, defaults of history states included."""
    number = 0
    for node in tree.nodes:
        for event, trigger, arc in _arcs_of(node):
            found = [tree.resolve(node, target) for target in arc.target or ()]
            yield DrawnArc(number, node, event, trigger, arc, tuple(hit for hit in found if hit is not None))
            number += 1


def _arcs_of(node: TreeNode) -> Iterator[tuple[str, str, TransitionConfig]]:
    config = node.config
    yield from ((event, event, arc) for event, arcs in config.on.items() for arc in arcs)
    yield from (("", "always", arc) for arc in config.always)
    yield from (("", wait(delay), arc) for delay, arcs in config.after.items() for arc in arcs)
    yield from (("", "done", arc) for arc in config.on_done)
    for service in config.invoke:
        yield from (("", f"{service.src} done", arc) for arc in service.on_done)
        yield from (("", f"{service.src} failed", arc) for arc in service.on_error)
    if config.kind == "history":
        for target in config.target or ():
            yield "", "", TransitionConfig(target=(target,))


def lit(tree: Tree, active: Collection[str]) -> list[TreeNode]:
    """The innermost of the `active` states, given by dotted path, `#id`, or unambiguous name.

    Raises:
        UnknownName: if the machine has no such state.
    """
    nodes = {node.index: node for node in (_state(tree, ref) for ref in active)}
    around = {above.index for node in nodes.values() for above in node.ancestors}
    return [node for index, node in sorted(nodes.items()) if index not in around]


def _state(tree: Tree, ref: str) -> TreeNode:
    named = [node for node in tree.nodes[1:] if node.key == ref]
    node = tree.by_path.get(ref) or tree.by_id.get(ref.removeprefix("#")) or (named[0] if len(named) == 1 else None)
    if node is None:
        known = [path for path in tree.by_path if path]
        raise UnknownName(f"there is no state {ref!r} to light up; {did_you_mean(ref, known)}")
    return node


def label_words(trigger: str, guard: Named | None, actions: Sequence[Named]) -> list[str]:
    """The parts `EVENT`, `[guard]` and `/ action, action`, omitting absent ones."""
    parts = [trigger] if trigger else []
    if guard is not None:
        parts.append(f"[{guard.type}]")
    if actions:
        parts.append("/ " + ", ".join(action.type for action in actions))
    return parts


def remarks(config: StateConfig) -> list[str]:
    """The lines in a state's box: its entry and exit actions, and its services."""
    lines = [f"entry / {', '.join(action.type for action in config.entry)}"] if config.entry else []
    if config.exit:
        lines.append(f"exit / {', '.join(action.type for action in config.exit)}")
    return lines + [f"do / {service.src}" for service in config.invoke]


def wait(delay: str) -> str:
    """A delay of `after` as shown in a picture: milliseconds as `5 min 30 s`, a name unchanged."""
    if not (delay.isdecimal() and len(delay) < 15):
        return f"after {delay}"
    rest = timedelta(milliseconds=int(delay))
    parts: list[str] = []
    for unit, size in (
        ("d", timedelta(days=1)),
        ("h", timedelta(hours=1)),
        ("min", timedelta(minutes=1)),
        ("s", timedelta(seconds=1)),
        ("ms", timedelta(milliseconds=1)),
    ):
        count, rest = divmod(rest, size)
        parts += [f"{count} {unit}"] if count else []
    return f"after {' '.join(parts) or '0 ms'}"


def indented(lines: Sequence[str]) -> list[str]:
    """`lines`, each one level further in."""
    return [f"    {line}" for line in lines]


def visible(text: str) -> str:
    """`text` with invisible characters made visible: ↵ for a line break, ␉ for a tab, � for a lone surrogate."""
    return _WITHOUT_LOOK.sub(lambda match: _sign(match[0]), text)


_WITHOUT_LOOK = re.compile("\r\n|[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def _sign(character: str) -> str:
    if character in ("\n", "\r\n", "\u2028", "\u2029"):
        return "↵"
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "�"
