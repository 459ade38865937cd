"""The characters of texts that a program spells out."""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor
from automata.lang.literals import read_text

MOST_CHARACTERS = 4096
"""Longer texts are not read."""


def characters_of(cursor: Cursor) -> bytes | None:
    """The bytes of a text with the zeros behind it, as clang spells it again; None for one of wide characters, or a long one."""
    shape, spelled = cursor.type, cursor.spelling
    if shape.kind != kinds.T_CONSTANT_ARRAY or shape.size != shape.count or not 0 < shape.count <= MOST_CHARACTERS:
        return None
    made = read_text(spelled)
    return made.ljust(shape.count, b"\0") if made is not None and len(made) < shape.count else None
