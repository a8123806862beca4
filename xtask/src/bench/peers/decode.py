"""The official Python SDK over the corpus: the name of a row on stdin, its seconds as JSON on stdout."""

import importlib.metadata
import json
import platform
import sys
import time

from claude_agent_sdk._errors import MessageParseError
from claude_agent_sdk._internal.message_parser import parse_message

# The SDK routes these to waiting callers before `parse_message` would see them: for them, loading is all there is.
CONTROL = {"control_request", "control_response", "control_cancel_request"}


def read(lines):
    refused = 0
    loads = json.loads
    start = time.perf_counter()
    for line in lines:
        data = loads(line)
        if data.get("type") in CONTROL:
            continue
        try:
            parse_message(data)
        except MessageParseError:
            refused += 1
    return time.perf_counter() - start, refused


def main():
    with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
        mix = [line.rstrip("\n") for line in file]
    with open(sys.argv[2], encoding="utf-8") as file:
        kinds = file.read().split()
    groups = {"mix": mix}
    for kind, line in zip(kinds, mix, strict=True):
        groups.setdefault(kind, []).append(line)
    sdk = importlib.metadata.version("claude-agent-sdk")
    print(json.dumps({"version": f"claude-agent-sdk {sdk}, Python {platform.python_version()}"}), flush=True)
    for row in sys.stdin:
        seconds, refused = read(groups[row.strip()])
        print(json.dumps({"seconds": seconds, "refused": refused}), flush=True)


main()
