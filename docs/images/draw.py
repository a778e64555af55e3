"""Draws every example again: `python docs/images/draw.py`. A test of the docs says when that is due."""

from pathlib import Path

from fsmvoice import FsmConfig, to_dot, to_mermaid, to_svg
from fsmvoice.cli.target import load_target

IMAGES = Path(__file__).parent
ROOT = IMAGES.parents[1]
EXAMPLES = {
    "coffee": "examples/coffee.py",
    "coffee_config": "examples/coffee_config.py",
    "ticket": "examples/ticket.py",
    "ticket_graph": "examples/ticket_graph.py",
    "kiosk": "examples/kiosk.py",
    "parallel": "docs/snippets/kiosk.py",
}


def config_of(name: str) -> FsmConfig:
    """The machine of an example."""
    return load_target(str(ROOT / EXAMPLES[name])).config


def main() -> None:
    """Write each picture, and beside it the texts that say the same."""
    for name in EXAMPLES:
        config = config_of(name)
        (IMAGES / f"{name}.svg").write_text(to_svg(config), encoding="utf-8")
        (IMAGES / f"{name}.dot").write_text(to_dot(config), encoding="utf-8")
        (IMAGES / f"{name}.mmd").write_text(to_mermaid(config), encoding="utf-8")


if __name__ == "__main__":
    main()
