"""Do what the README's first command promises: serve the coffee machine as it says, and order a coffee as a client.

Run with the interpreter of the virtual environment that the README makes.
"""

import asyncio
import shlex
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from mcp import Client

ROOT = Path(__file__).parents[1]
ENDPOINT = "http://127.0.0.1:3100"
CONVERSATION = [("order", {"drink": "latte"}), ("confirm", {}), ("ready", {})]


def serve_command() -> list[str]:
    """The README's own words, from the program on."""
    line = next(line for line in (ROOT / "README.md").read_text().splitlines() if "fsmvoice serve" in line)
    return shlex.split(line.split("&&")[-1].partition("#")[0])


def until_ready(process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if process.poll() is not None:
            sys.exit(f"the server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"{ENDPOINT}/healthz", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    sys.exit("the server did not come up within 20 seconds")


async def order_a_coffee() -> None:
    for mode in ("legacy", "auto"):
        async with Client(f"{ENDPOINT}/mcp", mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            print(client.protocol_version, names)
            await client.call_tool("coffee_start_over", {})
            for event, arguments in CONVERSATION:
                result = await client.call_tool(f"coffee_{event}", arguments)
                print(f"  {event}: {result.content[0].text}")
                if result.is_error:
                    sys.exit(f"{event} was refused")
            state = (result.structured_content or {})["state"]
            if not state["done"]:
                sys.exit(f"the coffee is not done: {state}")


process = subprocess.Popen(serve_command(), cwd=ROOT)
try:
    until_ready(process)
    asyncio.run(order_a_coffee())
finally:
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=20)
if code != 0:
    sys.exit(f"Ctrl-C ended the server with {code}, not 0")
print("a coffee was ordered in both protocol eras, and Ctrl-C stopped the server cleanly")
