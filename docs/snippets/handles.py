import asyncio

from guarded import TeaHouse

from fsmvoice import create_fsm_mcp_bridge


async def main() -> None:
    bridge = create_fsm_mcp_bridge(TeaHouse, handles=True)
    opened = await bridge.call("tea_start_session")
    session = opened.structured["session"]

    await bridge.call("tea_order", {"tea": "green", "session": session})
    mine = await bridge.call("tea_status", {"session": session})
    shared = await bridge.call("tea_status")
    print(mine.structured["state"]["value"])  # ordered
    print(shared.structured["state"]["value"])  # idle


asyncio.run(main())
