"""Which functions of a text lead to a launch.

In: a text as it is written. Out: the functions outside of classes that it defines, each with the words of its body. Those whose
body launches something, or names a function that leads there, lead to a launch; what they are given decides its sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from automata.lang.project import COMMENT, ENQUEUES

WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_CLASS = re.compile(r"\b(?:class|struct|union)\b[^;{}()]*$")
_FUNCTION = re.compile(r"\)\s*(?:const|noexcept|override|\w+)?$")
_LAUNCHES = re.compile(rf"<<<|{ENQUEUES}|\b(?:hip|cuda|cu)Launch\w*")
Body = tuple[str, frozenset[str], bool]
"""A function's name, the words of its body, and whether it launches something."""


def functions(raw: str) -> list[Body]:
    """The functions that a text defines outside of classes."""
    text, found = COMMENT.sub(" ", raw), list[Body]()
    stack, at = list[str](), 0
    name, begin = "", 0
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            head = text[at:brace.start()].rpartition(";")[2].rstrip()
            is_function = "function" not in stack and _FUNCTION.search(head) is not None
            if is_function:
                called = _CALLED.search(head)
                name, begin = called[1] if called and "class" not in stack else "", brace.end()
            stack.append("function" if is_function else "class" if _CLASS.search(head) else "block")
        elif stack and stack.pop() == "function" and name:
            body = text[begin:brace.start()]
            found.append((name, frozenset(WORD.findall(body)), _LAUNCHES.search(body) is not None))
        at = brace.end()
    return found


def leading(own: list[Body], others: Iterable[list[Body]]) -> set[str]:
    """The functions of some texts that lead to a launch in one."""
    found = {name for name, _, launches in own if launches}
    rest = [*own, *(body for text in others for body in text)] if found else []
    while near := [body for body in rest if body[1] & found and body[0] not in found]:
        found |= {name for name, _, _ in near}
    return found
