"""Which names of others a text mentions.

In: the text of a function, a class or another declaration, and the function's cursor where it is one. Out: its words, but for
those in comments and those that the function declares itself, as a parameter or at the top of its body, before it mentions them:
from there on they are its own. A text with raw strings keeps its comments, for they may be no comments.
"""

from __future__ import annotations

import re

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor

WORD = re.compile(rb"[A-Za-z_]\w*")
_PIECE = re.compile(rb'(?P<kept>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')|//[^\n]*|/\*.*?\*/', re.S)
_RAW = re.compile(rb'R"')
DECLARED = (kinds.PARAM, kinds.VAR)


def mentioned(text: bytes) -> set[bytes]:
    """The words of a text outside of its comments."""
    plain = text if _RAW.search(text) else _PIECE.sub(lambda match: match["kept"] or b" ", text)
    return set(WORD.findall(plain))


def own_names(function: Cursor, text: bytes) -> set[bytes]:
    """The names of a function's parameters, and of what the top of its body declares, that it does not mention before. `text`:
    the file that it stands in."""
    _, start, end = function.extent
    body = next((child for child in function.children() if child.kind == kinds.COMPOUND), None)
    if body is None or b"#" in text[start:end]:
        return set()
    tops = (child for statement in body.children() for child in statement.children())
    found = set()
    for cursor in (*function.children(), *tops):
        name = cursor.spelling.encode()
        if cursor.kind in DECLARED and cursor.extent[0] == function.extent[0] and name:
            first = re.search(rb"\b%s\b" % re.escape(name), text[start:end])
            _, begin, last = cursor.extent
            times = len(re.findall(rb"\b%s\b" % re.escape(name), text[begin:last]))
            if first is not None and begin <= start + first.start() < last and times == 1:
                found.add(name)
    return found
