"""Errors list everything, survive pickling, and point to the nearest right word."""

import pickle

import pytest

from fsmvoice import State, VoiceMachine, transition
from fsmvoice.errors import RETRY_IS_SAFE, DefinitionError, MissingExtra, NotAllowed, Problem, ReasonCode, did_you_mean


def test_a_definition_error_lists_every_problem() -> None:
    error = DefinitionError(
        "Coffee", [Problem("a.py:1", "no state 'x'", "did you mean 'y'?"), Problem("", "no initial")]
    )
    assert str(error) == "Coffee has 2 problems:\n  a.py:1: no state 'x'; did you mean 'y'?\n  no initial"
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.subject, twin.problems) == (error.subject, error.problems)


def test_not_allowed_keeps_its_outcome_through_pickling() -> None:
    assert pickle.loads(pickle.dumps(NotAllowed("no", {"ok": False}))).outcome == {"ok": False}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("idel", "did you mean 'idle'?"),
        ("ORDERING", "did you mean 'ordering'?"),
        ("zzz", "there are idle, ordering"),
    ],
)
def test_the_nearest_word_is_named(word: str, hint: str) -> None:
    assert did_you_mean(word, ["idle", "ordering"]) == hint


def test_of_a_dotted_name_the_last_part_is_enough() -> None:
    assert did_you_mean("heatin", ["on", "on.brew.heating"]) == "did you mean 'on.brew.heating'?"


def test_a_long_list_is_cut() -> None:
    assert did_you_mean("zzz", [f"s{n}" for n in range(20)]).endswith("s7, …")


def test_every_reason_says_whether_a_retry_is_safe() -> None:
    assert set(RETRY_IS_SAFE) == set(ReasonCode.__args__)  # type: ignore[attr-defined]  # a Literal's members are known at run time only


def test_a_missing_extra_gives_the_line_to_run() -> None:
    assert "pip install 'fsmvoice[voice]'" in str(MissingExtra("voice", "A date in a prompt"))


def test_an_event_that_was_not_allowed_is_told_to_another_process_in_facts() -> None:
    class Door(VoiceMachine):
        shut = State(initial=True)
        ajar = State(final=True)

        @transition("OPEN", source=shut, target=ajar)
        def open_it(self) -> None: ...

    door = Door()
    door.open_it.sync()
    with pytest.raises(NotAllowed) as caught:
        door.open_it.sync()
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.outcome["reason"]) == (str(caught.value), "no-transition")
