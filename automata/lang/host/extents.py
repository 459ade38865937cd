"""Where the declarations of host code end: variables, functions, classes."""

from __future__ import annotations

from automata.lang.host.syntax import NotUnderstood
from automata.lang.host.tokens import Tokens, is_name

_ALIGNING = frozenset({"alignas", "__align__", "__attribute__", "__declspec"})


def extent(tokens: Tokens, at: int, end: int) -> tuple[int, int]:
    """Past the `;` of a declaration and -1, or its end and the brace that opens a function's body."""
    text, match = tokens.text, tokens.match
    grouped = in_inits = False
    while at < end:
        token = text[at]
        if token == ";":
            return at + 1, -1
        if token == "}" or token in (")", "]"):
            raise NotUnderstood
        if token == "operator" and text[at + 1] in ("(", "[", "=", ",", "<", ">"):
            at += 2
            continue
        if token == "{":
            close = match[at]
            if not at < close < end:
                raise NotUnderstood
            if grouped and not (in_inits and is_name(text[at - 1])):
                return close + 1, at
        elif token == "=":
            return _past_initialiser(tokens, at, end), -1
        elif token == ":":
            in_inits = grouped
        grouped = grouped or token == "("
        at = match[at] if token in ("(", "[", "{") and match[at] > at else at
        at += 1
    raise NotUnderstood


def class_body(tokens: Tokens, at: int, end: int) -> int:
    """The brace that opens the body of a class; -1 where none is defined here."""
    text, index = tokens.text, at + 1
    while index < min(end, at + 200):
        token = text[index]
        if token == "{":
            return index
        if token in (";", "=", "}") or (token == "(" and text[index - 1] not in _ALIGNING):
            return -1
        index = tokens.match[index] if token == "(" and tokens.match[index] > index else index
        index += 1
    return -1


def _past_initialiser(tokens: Tokens, at: int, end: int) -> int:
    stop = tokens.statement_end(at, end)
    if tokens.text[stop - 1] != ";":
        raise NotUnderstood
    return stop
