"""Ends all agents of a server: its address and a token in, nothing out. They would outlive it."""

import json
import sys
import urllib.error
import urllib.request

url, token = sys.argv[1:]
headers = {"authorization": f"Bearer {token}", "x-quarterdeck": "1", "content-type": "application/json"}


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}api/v1/{path}", data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


for session in ask("sessions?limit=500")["sessions"] + ask("sessions?limit=500&archived=true")["sessions"]:
    try:
        ask(f"sessions/{session['id']}/close", {"kill": True})
    except urllib.error.HTTPError as error:
        # One that does not run needs no end.
        if error.code != 409:
            raise
