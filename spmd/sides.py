"""How a command names the sides of a comparison: files with kernels, and sequences of them."""

from __future__ import annotations

import os


def kernels_of(text: str | None) -> list[str | None]:
    """The kernels of a sequence; one that names no file is of the file before it."""
    parts = [part.strip() for part in (text or "").split(";") if part.strip()]
    if len(parts) < 2:
        return [text]
    found: list[str | None] = []
    file = ""
    for part in parts:
        path, _ = file_and_kernel(part)
        is_kernel = bool(file) and not os.path.exists(path) and part.isidentifier()
        file = file if is_kernel else path
        found.append(f"{file}:{part}" if is_kernel else part)
    return found


def file_and_kernel(text: str) -> tuple[str, str | None]:
    """`path:kernel`, or a path that may itself hold colons."""
    path, colon, kernel = text.rpartition(":")
    return (path, kernel) if colon and kernel and not os.path.exists(text) else (text, None)
