"""Agent runtimes: their payloads in, their form of an answer out."""

from __future__ import annotations

RUNTIMES = ("claude-code", "codex", "gemini", "opencode", "openclaw")
"""Names that ``--runtime`` takes."""
