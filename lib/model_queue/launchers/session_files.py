"""The files in the folder of one attempt, ``sessions/<label>/``."""

from __future__ import annotations

LOCK = "lock"
"""Held by the supervisor from its birth to its death; in it, which boot it lives in."""
PROMPT = "prompt.md"
"""What the session is asked."""
PLAN = "session.json"
"""What is to be done, written before the supervisor starts."""
PROCESS = "process.json"
"""Who runs, written by the supervisor before the session's first instruction."""
HEARTBEAT = "heartbeat"
"""Touched about every second; for people, nothing is decided by it."""
STDOUT = "stdout"
STDERR = "stderr"
"""What the session says, capped."""
RECEIPT = "receipt.json"
"""What an endpoint said besides the text, where the session is a program of ours."""
STOP = "stop"
"""Somebody asked it to end."""
SAID = "said.json"
"""What was reported while it still ran; it counts when nothing of it runs any more."""
OUTCOME = "outcome.json"
"""How it ended, written once, when nothing of it runs any more.

What the session itself puts there counts for nothing, and is replaced.
"""
LOG = "supervisor.log"
"""What the supervisor could not do; empty when all went well."""
