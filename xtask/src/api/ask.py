"""Asks the server something: its address and a token come from the environment."""

import json
import os
import urllib.request

HEADERS = {
    "authorization": f"Bearer {os.environ['QUARTERDECK_TOKEN']}",
    "x-quarterdeck": "1",
    "content-type": "application/json",
}


def open_path(path, body=None):
    """The answer, to be read. A request with a body changes something."""
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(f"{os.environ['QUARTERDECK_URL']}api/v1/{path}", data, HEADERS))


def ask(path, body=None):
    """The JSON of the answer; null, if there is none."""
    with open_path(path, body) as answer:
        return json.loads(answer.read() or b"null")
