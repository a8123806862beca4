"""Ends all agents of a server, which would outlive it."""

import urllib.error

from ask import ask

for session in ask("sessions?limit=500")["sessions"] + ask("sessions?limit=500&archived=true")["sessions"]:
    try:
        ask(f"sessions/{session['id']}/close", {"kill": True})
    except urllib.error.HTTPError as error:
        # One that does not run needs no end.
        if error.code != 409:
            raise
