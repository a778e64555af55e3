"""Schemas of a config's events, as a module holds them: their types are found by each checker on its own."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from fsmvoice import create_fsm_actor, create_fsm_mcp_bridge

CONFIG: dict[str, Any] = {"initial": "a", "states": {"a": {"on": {"A": "a", "B": "a"}}}}


class ModelA(BaseModel):
    drink: str


class ModelB(BaseModel):
    cups: int = 1


two = {"A": ModelA, "B": ModelB}
one = {"A": ModelA}

create_fsm_actor(CONFIG, event_schemas=two)
create_fsm_mcp_bridge(CONFIG, event_schemas=two)
create_fsm_actor(CONFIG, event_schemas=one)
create_fsm_actor(CONFIG, event_schemas={"A": ModelA, "B": ModelB})
create_fsm_actor(CONFIG, event_schemas={"A": 3})  # error: a schema that is not a class
