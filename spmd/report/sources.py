"""The source that a record is about: the text of its kernels, with the lines that its places name.

A kernel's text runs from its head to the brace that closes it, found by counting; that is for showing, and nothing hangs on it.
Lines of other files and functions come with a few lines around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from spmd.records.alerts import Record
from spmd.records.excerpt import lines_of

AROUND, LONGEST = 3, 220
_QUIET = re.compile(r"//.*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")


def sources_of(heads: Iterable[Record], places: Iterable[Record]) -> list[Record]:
    """Stretches of text: `file`, `first` (the number of the first line), `lines`. `heads`: where kernels begin."""
    wanted: dict[str, set[int]] = {}
    for head in heads:
        lines = lines_of(head["file"])
        wanted.setdefault(head["file"], set()).update(_body(lines, head["line"]))
    for place in places:
        if place.get("line") and place["line"] not in wanted.get(place["file"], ()) and not place["file"].startswith("<"):
            near = range(place["line"] - AROUND, place["line"] + AROUND + 1)
            wanted.setdefault(place["file"], set()).update(near)
    return [part for file, numbers in wanted.items() for part in _stretches(file, numbers)]


def _body(lines: list[str], head: int) -> range:
    """The lines of a function, with template lines and comments right above it."""
    if head > len(lines):
        return range(0)
    depth, opened, first = 0, False, head
    while first > 1 and lines[first - 2].strip().startswith(("template", "//", "__global__", "extern", "__attribute__")):
        first -= 1
    for number in range(head, min(len(lines), head + LONGEST) + 1):
        text = _QUIET.sub("", lines[number - 1])
        depth += text.count("{") - text.count("}")
        opened |= "{" in text
        if opened and depth <= 0:
            return range(first, number + 1)
    return range(first, min(len(lines), head + LONGEST) + 1)


def _stretches(file: str, numbers: set[int]) -> list[dict[str, Any]]:
    lines = lines_of(file)
    found: list[dict[str, Any]] = []
    for number in sorted(number for number in numbers if 1 <= number <= len(lines)):
        text = lines[number - 1].expandtabs(4).rstrip("\r")
        if found and found[-1]["file"] == file and found[-1]["first"] + len(found[-1]["lines"]) == number:
            found[-1]["lines"].append(text)
        else:
            found.append({"file": file, "first": number, "lines": [text]})
    return found
