"""Brackets and lists in texts that nobody has parsed."""

from __future__ import annotations

FARTHEST = 20_000


def closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one at a position, strings passed over; -1 where there is none."""
    if text[at:at + 1] != "(":
        return -1
    depth, is_text = 0, False
    for end in range(at, min(len(text), at + FARTHEST)):
        is_text ^= text[end] == '"'
        depth += 0 if is_text else (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end + 1
    return -1


def split_top(text: str, separator: str = ",", opening: str = "([", closed_by: str = ")]") -> list[str]:
    """Split at separators outside brackets; parts are stripped, empty ones dropped."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in opening) - (char in closed_by)
        if char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
