"""Starts a session and waits for the end of its first turn: the address of a server and a token in, the id of the session out."""

import json
import sys
import urllib.request
import uuid

url, token = sys.argv[1:]
headers = {"authorization": f"Bearer {token}", "x-quarterdeck": "1", "content-type": "application/json"}
start = {"options": {}, "message": {"id": str(uuid.uuid4()), "text": "Hello"}}
request = urllib.request.Request(f"{url}api/v1/sessions", json.dumps(start).encode(), headers)
with urllib.request.urlopen(request) as answer:
    session = json.load(answer)["session"]
with urllib.request.urlopen(
    urllib.request.Request(f"{url}api/v1/sessions/{session}/events?follow=true", None, headers)
) as events:
    next(line for line in events if json.loads(line)["event"] == "turn_complete")
print(session)
