"""The user's text at a place: what reports print under a finding, and what tells a finding apart when lines shift.

Records carry the line itself, so that whoever reads one needs no checkout, and a revision that is not on disk can be shown.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from automata.place import Place

MOST = 400
"""Characters of a line that a record keeps."""


def source_line(place: Place) -> str:
    """The line at a place, tabs as one space each; "" where there is none, or what is there is no text."""
    if not place.line:
        return ""
    lines = lines_of(place.file) if place.model is None else _model(place.model)
    text = lines[place.line - 1].replace("\t", " ").rstrip("\r") if place.line <= len(lines) else ""
    return "" if "\0" in text else text


def place_record(place: Place) -> dict[str, Any]:
    """A place with its line of text."""
    return {"file": place.shown, "line": place.line, "column": place.column, "text": source_line(place)[:MOST].rstrip()}


def caret(text: str, column: int, width: int = 160) -> tuple[str, int]:
    """A line cut to `width` characters around a column, and the column of the caret under it (from 1)."""
    if column < width - 10:
        return text[:width], max(1, column)
    return "…" + text[column - 60 : column + 90], 61


def lines_of(file: str) -> list[str]:
    """The lines of a file as it is now; none where it cannot be read."""
    try:
        found = os.stat(file)
        return _lines(file, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError):
        return []


@lru_cache(maxsize=16)
def _lines(file: str, changed: int, size: int) -> list[str]:
    return Path(file).read_text(encoding="utf-8", errors="replace").split("\n")


def _model(dialect: str) -> list[str]:
    """Our own header, in which library functions are written out."""
    from automata.lang.clang.prelude import text_of  # loads libclang, which nobody needs for a text without such places
    return text_of("opencl" if dialect == "opencl" else "cuda").splitlines()
