"""What a host can read."""

from __future__ import annotations

import json

import pytest

from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.bridge.spec import UnknownResource
from tests.bridge.machines import Coffee


def test_the_state_and_the_config_can_be_read_and_with_handles_a_sessions_state() -> None:
    found = [resource.uri for resource in create_fsm_mcp_bridge(Coffee).resources]
    assert found == ["fsm://state", "fsm://config", "ui://coffee/screen.html"]
    assert [
        resource.uri for resource in create_fsm_mcp_bridge(Coffee, handles=True).resources if resource.is_template
    ] == ["fsm://sessions/{session}/state"]


@pytest.mark.parametrize(
    ("uri", "uris"),
    [
        ("fsm://shop/state", ["fsm://shop/state", "fsm://shop/config"]),
        ("shop://now", ["shop://now", "shop://now/config"]),
        (None, []),
    ],
)
def test_a_second_machine_on_a_server_has_uris_of_its_own(uri: str | None, uris: list[str]) -> None:
    bridge = create_fsm_mcp_bridge(Coffee, state_resource_uri=uri, screen=False)

    assert [resource.uri for resource in bridge.resources] == uris


async def test_the_config_that_is_read_is_the_machines() -> None:
    config = json.loads(await create_fsm_mcp_bridge(Coffee).read("fsm://config"))

    assert config["id"] == "coffee"
    assert list(config["states"]) == ["idle", "ordering", "brewing", "done"]
    assert config["context"] == {"drink": None, "size": "medium"}


@pytest.mark.parametrize(
    "uri", ["fsm://nothing", "", "fsm://sessions//state", "fsm://sessions/a/b/state", "fsm://sessions/lost/state"]
)
async def test_what_is_not_there_is_not_found(uri: str) -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)

    with pytest.raises(UnknownResource):
        await bridge.read(uri)
