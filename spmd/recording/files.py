"""Files of a recording: the user's alone, for what was recorded may be confidential."""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, content: bytes) -> None:
    """Write a file that nobody else may read. OSError if it cannot be."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(content)


def put_private(path: Path, content: bytes) -> None:
    """The same, as a whole or not at all: beside it first, then under its name."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    write_private(part, content)
    os.replace(part, path)
