"""Whether there is a recording."""

from __future__ import annotations

from pathlib import Path

HEAD = "recording.json"
"""The file that says what was run, when, and how it ended."""


def is_recording(path: str) -> bool:
    """Whether a folder holds a recording."""
    return (Path(path) / HEAD).is_file()
