"""Starts a session and waits for the end of its first turn: the id of the session out."""

import json
import uuid

from ask import ask, open_path

session = ask("sessions", {"options": {}, "message": {"id": str(uuid.uuid4()), "text": "Hello"}})["session"]
with open_path(f"sessions/{session}/events?follow=true") as events:
    next(line for line in events if json.loads(line)["event"] == "turn_complete")
print(session)
