"""Whose session a call is for; a handle is worth nothing to anyone else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.sessions.keys import CallContext, SessionNotFound, handle_key, new_handle, session_key
from fsmvoice.sessions.meta import SESSION_META

ALICE, BOB = CallContext(principal="alice"), CallContext(principal="bob")


def test_everyone_shares_one_session_where_nobody_is_known() -> None:
    first, second = session_key(CallContext(), "coffee"), session_key(CallContext(locale="de"), "coffee")

    assert first == second
    assert first.scope == "local"


def test_a_principal_has_a_session_of_their_own_on_every_client() -> None:
    laptop, phone = CallContext("one", "alice"), CallContext("two", "alice")

    assert session_key(laptop, "coffee") == session_key(phone, "coffee")
    assert session_key(laptop, "coffee").storage != session_key(BOB, "coffee").storage


def test_a_client_whose_connection_is_known_has_its_own() -> None:
    assert session_key(CallContext("one"), "coffee").scope == "client"
    assert session_key(CallContext("one"), "coffee") != session_key(CallContext("two"), "coffee")


def test_machines_have_different_sessions() -> None:
    assert session_key(ALICE, "coffee").storage != session_key(ALICE, "ticket").storage


def test_a_session_is_named_as_an_argument_or_in_meta_and_the_argument_holds() -> None:
    ctx = CallContext(meta={SESSION_META: "m"})

    assert session_key(ctx, "coffee", handles=True).handle == "m"
    assert session_key(ctx, "coffee", handle="a", handles=True).handle == "a"
    assert session_key(ctx, "coffee").scope == "named"


def test_a_stolen_handle_is_another_session() -> None:
    handle = new_handle()

    assert handle_key(ALICE, "coffee", handle).storage != handle_key(BOB, "coffee", handle).storage
    assert handle not in handle_key(ALICE, "coffee", handle).storage


@pytest.mark.parametrize("handle", [5, ["a"], {"a": 1}, True, "x" * 201])
def test_what_can_be_no_handle_names_no_session(handle: Any) -> None:
    with pytest.raises(SessionNotFound):
        session_key(CallContext(), "coffee", handle=handle, handles=True)


def test_the_users_own_rule_comes_first_and_may_leave_it_to_the_default() -> None:
    def by_table(ctx: CallContext) -> str | None:
        table = ctx.meta.get("table")
        return table if isinstance(table, str) else None

    assert session_key(CallContext(meta={"table": "7"}), "coffee", get_session_id=by_table).scope == "override"
    assert session_key(CallContext(), "coffee", get_session_id=by_table).scope == "local"


def test_handles_are_not_guessed() -> None:
    handles = {new_handle() for _ in range(1000)}

    assert len(handles) == 1000
    assert min(map(len, handles)) >= 22  # 128 bits in base 64


WORDS = st.text(max_size=8)


@given(st.tuples(WORDS, WORDS, WORDS), st.tuples(WORDS, WORDS, WORDS))
def test_no_two_callers_meet_by_clever_names(one: tuple[str, str, str], two: tuple[str, str, str]) -> None:
    keys = [handle_key(CallContext(principal=who), machine, handle).storage for who, machine, handle in (one, two)]

    assert (keys[0] == keys[1]) == (one == two)
