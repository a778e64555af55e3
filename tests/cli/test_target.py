"""What TARGET names, and what is said when it names nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import load_target
from tests.cli.conftest import COFFEE

CONFIG = {
    "id": "tea",
    "initial": "idle",
    "states": {"idle": {"on": {"ORDER": {"target": "done", "actions": "take"}}}, "done": {"final": True}},
}
FUNCTIONS = "def take(): return {'taken': True}\nactions = {'take': take}\n"


def failure(text: str, behaviour: Path | None = None) -> str:
    with pytest.raises(Failure) as caught:
        load_target(text, behaviour).bridge()
    assert caught.value.exit_code == 2
    return caught.value.message


def tools(text: str, behaviour: Path | None = None) -> list[str]:
    return [tool.name for tool in load_target(text, behaviour).bridge().tools]


@pytest.mark.parametrize("text", ["coffee.py", "coffee.py:Coffee", "coffee", "coffee:Coffee", "./coffee.py"])
def test_a_class_is_found_by_file_and_by_module(folder: Path, text: str) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert tools(text) == ["coffee_order", "coffee_status", "coffee_start_over"]


def test_a_module_in_a_package_is_found(folder: Path) -> None:
    (folder / "shop").mkdir()
    (folder / "shop" / "__init__.py").touch()
    (folder / "shop" / "menu.py").write_text(COFFEE)
    assert tools("shop.menu:Coffee")[0] == "coffee_order"


def test_classes_that_are_bases_or_come_from_elsewhere_do_not_count(folder: Path) -> None:
    (folder / "base.py").write_text(COFFEE)
    (folder / "kiosk.py").write_text(
        "from base import Coffee\nfrom fsmvoice import VoiceMachine\n"
        "class Base(VoiceMachine): pass\nclass Kiosk(Coffee): pass\n"
    )
    assert tools("kiosk.py")[0] == "kiosk_order"


def test_a_json_config_takes_its_functions_from_a_file(folder: Path) -> None:
    (folder / "tea.json").write_text(json.dumps(CONFIG))
    (folder / "functions.py").write_text(FUNCTIONS)
    assert tools("tea.json", Path("functions.py"))[0] == "tea_order"


def test_an_older_xstate_file_takes_its_functions_from_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = {"target": "done", "actions": "take", "cond": "open"}
    states = {"idle": {"on": {"ORDER": order}}, "done": {"type": "final"}}
    (folder / "tea.json").write_text(json.dumps({"id": "tea", "initial": "idle", "states": states}))
    (folder / "functions.py").write_text(f"{FUNCTIONS}guards = {{'open': lambda: True}}\n")
    assert tools("tea.json", Path("functions.py"))[0] == "tea_order"
    assert capsys.readouterr().err == "Note: tea.json: $: read as XState version 4\n"
    assert "unknown guard 'open'" in failure("tea.json")


def test_a_config_in_a_python_file_takes_the_functions_beside_it(folder: Path) -> None:
    (folder / "tea.py").write_text(f"from fsmvoice import FsmConfig\n{FUNCTIONS}tea = FsmConfig(**{CONFIG!r})\n")
    assert tools("tea.py")[0] == "tea_order"
    assert tools("tea.py:tea")[0] == "tea_order"


def test_a_bridge_stands_for_the_machine_it_was_made_from(folder: Path) -> None:
    (folder / "coffee.py").write_text(
        f"{COFFEE}\nfrom fsmvoice import create_fsm_mcp_bridge\nbridge = create_fsm_mcp_bridge(Coffee, handles=True)\n"
    )
    assert tools("coffee.py")[-1] == "coffee_start_session"


def test_a_status_graph_is_a_machine_too(folder: Path) -> None:
    (folder / "flow.py").write_text(
        "from fsmvoice import fsm_from_status_graph\n"
        "flow = fsm_from_status_graph(id='t', initial='a', graph={'a': ['b'], 'b': []})\n"
    )
    assert tools("flow.py")[0] == "t_move_to_b"


def test_an_unknown_file_is_reported_with_the_nearest(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert failure("cofee.py") == "there is no file 'cofee.py'; did you mean 'coffee.py'?"
    (folder / "examples").mkdir()
    (folder / "examples" / "kiosk.py").write_text(COFFEE)
    assert failure("kiosk.py") == "there is no file 'kiosk.py'; did you mean 'examples/kiosk.py'?"


def test_a_folder_is_reported_with_what_is_in_it(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert failure(".") == ". is a directory; in it are coffee.py"


def test_a_file_without_a_machine_is_told_with_what_it_has(folder: Path) -> None:
    (folder / "none.py").write_text("import os\nprice = 1\nclass Cup: ...\ndef brew(): ...\n")
    assert failure("none.py").startswith(
        "there is no machine in none.py: it has price (a value of type int), Cup (a class), brew (a function); "
    )
    (folder / "empty.py").touch()
    assert "it defines nothing" in failure("empty.py")


def test_two_machines_are_listed_to_choose_from(folder: Path) -> None:
    (folder / "two.py").write_text(f"{COFFEE}\nclass Tea(Coffee): pass\n")
    assert failure("two.py") == "there are 2 machines in two.py; choose one:\n  two.py:Coffee\n  two.py:Tea"


def test_an_unknown_machine_is_told_with_the_nearest(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert failure("coffee.py:Cofee") == "there is no 'Cofee' in coffee.py; did you mean 'Coffee'?"
    assert failure("coffee.py:State").startswith("State in coffee.py is a class; a machine is")


def test_a_syntax_error_is_reported_with_its_line(folder: Path) -> None:
    (folder / "bad.py").write_text("x = 1\ndef f(: pass\n")
    assert failure("bad.py") == "bad.py:2: invalid syntax\n    def f(: pass"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import os\nimport nosuchlib\n", "bad.py:2: ModuleNotFoundError: No module named 'nosuchlib'"),
        ("import json\n\ndef f():\n    json.loads('{')\nf()\n", "bad.py:4: json.decoder.JSONDecodeError: "),
        ("import sys\nsys.exit(1)\n", "bad.py:2: it exits when it is imported"),
    ],
)
def test_an_error_in_the_file_is_reported_by_the_files_own_line(folder: Path, source: str, told: str) -> None:
    (folder / "bad.py").write_text(source)
    assert failure("bad.py").startswith(told)


def test_a_definition_with_five_mistakes_is_reported_whole(folder: Path) -> None:
    (folder / "five.py").write_text(
        "from fsmvoice import State, VoiceMachine, transition\n"
        "class Five(VoiceMachine):\n"
        "    idle = State(initial=True)\n"
        "    busy = State()\n"
        "    @transition('GO', source='idel', target='busy')\n"
        "    def go(self): ...\n"
        "    @transition('STOP', source='busy', target='idlle', guard='nope')\n"
        "    def stop(self): ...\n"
        "    @transition('X', source='bsy', target='idle')\n"
        "    def x(self): ...\n"
        "    @transition('STATUS', source='busy', target='idle')\n"
        "    def y(self): ...\n"
    )
    lines = failure("five.py").splitlines()
    assert lines[0] == "Five has 5 problems:"
    assert len(lines) == 6
    assert all(line.startswith("  five.py:") for line in lines[1:])


def test_the_unknown_names_of_a_config_are_all_told_and_where_to_give_them(folder: Path) -> None:
    (folder / "tea.json").write_text(
        json.dumps(
            {
                "id": "tea",
                "initial": "a",
                "states": {"a": {"entry": "one", "on": {"GO": {"guard": "two", "target": "a"}}}},
            }
        )
    )
    told = failure("tea.json")
    assert "$.states.a.entry: unknown action 'one'" in told
    assert "$.states.a.on.GO.guard: unknown guard 'two'" in told
    assert told.splitlines()[-1].startswith("Give them with --behaviour FILE")


def test_a_config_that_does_not_hold_together_is_reported_by_json_paths(folder: Path) -> None:
    (folder / "bad.json").write_text('{"initial": "aa", "states": {"a": {"onn": {}}}}')
    assert failure("bad.json").splitlines() == [
        "bad.json has 2 problems:",
        "  $.states.a.onn: unknown key 'onn'; did you mean 'on'?",
        "  $.initial: unknown state 'aa'; did you mean 'a'?",
    ]


def test_a_module_that_is_not_there(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert failure("coffe.shop:Coffee") == "no module named 'coffe.shop' can be imported from here"


def test_behaviour_goes_with_a_config_only(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "functions.py").write_text(FUNCTIONS)
    assert "--behaviour is for configs" in failure("coffee.py", Path("functions.py"))


def test_a_path_that_no_file_can_have_is_reported(folder: Path) -> None:
    told = failure("x" * 300 + ".py")
    assert told.startswith("there is no file 'xxx")
    assert told.endswith("…': File name too long")
    assert "can be imported" in failure("x" * 300)


def test_a_link_that_leads_nowhere_is_reported_as_such(folder: Path) -> None:
    (folder / "coffee.py").symlink_to(folder / "gone.py")
    assert failure("coffee.py") == f"coffee.py is a link to {str(folder / 'gone.py')!r}, which does not exist"


@pytest.mark.parametrize("name", ["", "Coffee ", "A:B", "a b", "1"])
def test_a_name_that_no_machine_can_have_is_reported(folder: Path, name: str) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert failure(f"coffee.py:{name}").startswith(f"{name!r} is not the name of a machine in coffee.py; write ")


def test_no_target_is_reported(folder: Path) -> None:
    assert failure(" ").startswith("TARGET is empty")


def test_an_abstract_class_is_reported_with_what_it_lacks(folder: Path) -> None:
    method = "    @__import__('abc').abstractmethod\n    def price(self): ...\n"
    (folder / "base.py").write_text(f"{COFFEE}\n{method}")
    assert "it has Coffee (an abstract class without price)" in failure("base.py")
