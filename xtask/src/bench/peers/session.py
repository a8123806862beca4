"""The official Python SDK in one turn of the scripted agent: what it saw and how long that took, as JSON on stdout.

The agent's program is the argument. After its line it waits for the end of its stdin, so that its memory can be looked at.
"""

import asyncio
import importlib.metadata
import json
import platform
import sys
import time

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, StreamEvent


async def consume(agent):
    options = ClaudeAgentOptions(
        cli_path=agent,
        include_partial_messages=True,
        # One line has the whole text of the turn; the default of a megabyte would end the session there.
        max_buffer_size=1 << 30,
    )
    deltas = 0
    text_bytes = 0
    async with ClaudeSDKClient(options) as client:
        start = time.perf_counter()
        await client.query("go")
        async for message in client.receive_messages():
            if isinstance(message, StreamEvent):
                delta = message.event.get("delta")
                if delta is not None and delta.get("type") == "text_delta":
                    deltas += 1
                    text_bytes += len(delta["text"])
            elif isinstance(message, ResultMessage):
                break
        seconds = time.perf_counter() - start
        sdk = importlib.metadata.version("claude-agent-sdk")
        seen = {
            "version": f"claude-agent-sdk {sdk}, Python {platform.python_version()}",
            "deltas": deltas,
            "text_bytes": text_bytes,
            "seconds": seconds,
        }
        print(json.dumps(seen), flush=True)
        sys.stdin.read()


asyncio.run(consume(sys.argv[1]))
