"""A text of C without the brackets that nobody needs.

Input: an expression as text, put together of parts that each have brackets of their own. Output: the same characters but for
brackets around the whole, and around operands that bind more tightly than what stands beside them. Brackets that tell the reader
something stay: around operands of shifts and of operators on bits, and around `&&` in `||`.
"""

from __future__ import annotations

import re

from automata.lang.condition import PRECEDENCE

_TOKEN = re.compile(r"\s*([A-Za-z_][\w.]*|\d[\w.]*|<<|>>|<=|>=|==|!=|&&|\|\||\S)")
_UNARY, _ATOM = 11, 99
_TOLD = frozenset({"&", "|", "^", "<<", ">>"})
_COMPARING = frozenset({PRECEDENCE["=="], PRECEDENCE["<"]})
_OPEN, _CLOSE = "([", ")]"


def fewest(text: str) -> str:
    """The text without them; as it is where its brackets do not match."""
    while True:
        found = [(match.start(1), match[1]) for match in _TOKEN.finditer(text)]
        tokens = [token for _, token in found]
        pairs = _pairs(tokens)
        idle = next(((begin, end) for begin, end in sorted((pairs or {}).items()) if _is_idle(tokens, begin, end)), None)
        if idle is None:
            return text
        one, two = (found[at][0] for at in idle)
        text = f"{text[:one]}{text[one + 1 : two]}{text[two + 1 :]}".strip()


def _pairs(tokens: list[str]) -> dict[int, int] | None:
    """Where each bracket that opens closes; None where they do not match."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if token in _OPEN:
            opened.append(at)
        elif token in _CLOSE:
            if not opened or _OPEN.index(tokens[opened[-1]]) != _CLOSE.index(token):
                return None
            pairs[opened.pop()] = at
    return None if opened else pairs


def _is_idle(tokens: list[str], begin: int, end: int) -> bool:
    """Whether a pair of brackets says nothing."""
    before, after = tokens[begin - 1] if begin else "", tokens[end + 1] if end + 1 < len(tokens) else ""
    is_call = bool(before) and (before[-1].isalnum() or before[-1] in "_)]")
    is_cast = bool(after) and (after[0].isalnum() or after[0] in "_(")
    if tokens[begin] != "(" or is_call or is_cast or end == begin + 1:
        return False
    held = _outer(tokens[begin + 1 : end])
    if "," in held or "?" in held:
        return not before and not after
    inside = min((PRECEDENCE.get(token, _UNARY) for token in held), default=_ATOM)
    if inside == _ATOM:
        return True
    beside = {before, after} & PRECEDENCE.keys()
    compares = inside in _COMPARING and not _COMPARING.isdisjoint(PRECEDENCE[each] for each in beside)
    is_told = compares or not _TOLD.isdisjoint((*held, before, after)) or ("&&" in held and "||" in beside)
    return not is_told and inside > _binds(tokens, begin - 1) and inside >= PRECEDENCE.get(after, -1)


def _binds(tokens: list[str], at: int) -> int:
    """How tightly the operator that ends in front of an operand binds; -1 where there is none."""
    token = tokens[at] if at >= 0 else ""
    is_sign = token in ("-", "+") and (at == 0 or tokens[at - 1] in PRECEDENCE or tokens[at - 1] in ("(", "[", "?", ":", ","))
    return _UNARY if token in ("!", "~") or is_sign else PRECEDENCE.get(token, -1)


def _outer(tokens: list[str]) -> list[str]:
    """The operators outside of brackets."""
    found: list[str] = []
    depth = 0
    for token in tokens:
        depth -= token in _CLOSE
        if depth == 0 and token not in _OPEN and token not in _CLOSE and not (token[0].isalnum() or token[0] == "_"):
            found.append(token)
        depth += token in _OPEN
    return found
