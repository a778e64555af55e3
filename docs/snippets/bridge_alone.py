import asyncio

from guarded import TeaHouse

from fsmvoice import create_fsm_mcp_bridge


async def main() -> None:
    bridge = create_fsm_mcp_bridge(TeaHouse)
    print([tool.name for tool in bridge.tools])  # ['tea_order', 'tea_again', 'tea_status', 'tea_start_over']

    order = bridge.tools[0]
    reply = await order.handler({"tea": "mint"})
    print(reply.is_error, reply.text)
    reply = await order.handler({"tea": "green", "cups": "2"})
    print(reply.structured["state"]["value"])  # ordered


asyncio.run(main())
