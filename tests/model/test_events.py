from typing import Any

from fsmvoice import collect_event_types


def test_each_event_is_listed_with_the_states_that_take_it() -> None:
    config: dict[str, Any] = {
        "initial": "idle",
        "on": {"STOP": ".idle"},
        "states": {
            "idle": {"on": {"GO": "on.low"}},
            "on": {
                "initial": "low",
                "on": {"GO": "idle", "STOP": {}},
                "states": {"low": {"on": {"UP": "high"}}, "high": {"on": {"UP": []}}},
            },
        },
    }
    assert collect_event_types(config) == {"STOP": [""], "GO": ["idle", "on"], "UP": ["on.low"]}
