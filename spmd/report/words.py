"""Phrases that several formats share."""

from __future__ import annotations

import re
from typing import Any

from spmd.records.paths import relative

VERBS = {"write": "writes", "read": "reads"}


def told_place(place: dict[str, Any]) -> str:
    """Who does what where: "block (0, 0, 0), thread (1, 0, 0) reads, kernels/x.cu:11"."""
    access = str(place.get("access", ""))
    thread = place.get("thread")
    if thread:
        access = f"block {_triple(thread['block'])}, thread {_triple(thread['thread'])} {VERBS.get(access, access)}"
    access = f"{place['side']}: {access}" if "side" in place else access
    where = f"{relative(place['file'])}:{place['line']}"
    return f"{access}, {where}" if access else where


def many(number: int, what: str) -> str:
    """A number of things: 1 line, 2,000 lines."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _triple(value: list[int]) -> str:
    return f"({', '.join(map(str, value))})"


def assigned(values: dict[str, Any]) -> str:
    """Sizes as text: "n = 3, blockDim.x = 2"."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def plain(text: str) -> str:
    """A text without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
