"""How a command names the sides of a comparison: files with kernels, and sequences of them."""

from __future__ import annotations

import os
import re

from automata.place import InputError

COLON = re.compile(r"(?<!:):(?!:)")
"""Between a file and a kernel: not the one of namespaces."""


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
    """`path:kernel`, or a path that may itself hold colons. A kernel may have namespaces, `path:space::kernel`."""
    ends = [] if os.path.exists(text) else [match.start() for match in COLON.finditer(text, 0, len(text) - 1)]
    if not ends:
        return text, None
    end = next((end for end in ends if os.path.exists(text[:end])), ends[-1])
    return text[:end], text[end + 1:]


def named(file: str, kernel: str | None = None) -> tuple[str, str | None]:
    """A file that is there and the kernel of it that is meant: `kernel`, or the one behind the file's name. InputError where they
    are two."""
    path, own = file_and_kernel(file)
    if own is None or not os.path.exists(path):
        return file, kernel
    if kernel not in (None, own):
        raise InputError(f"which kernel: '{own}', as {file} says, or --kernel '{kernel}'?")
    return path, own
