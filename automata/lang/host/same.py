"""Arguments of a launch that are one pointer.

Two arguments of one call are the same pointer if both read the same variable in the same words: `shift<<<g, b>>>(d, d, n)`, or
`thrust::raw_pointer_cast(v.data())` twice. Nothing between them can change it, for only names, members, elements and the two
functions of containers that give their memory are taken; whatever else is called, assigned or stepped is not. Where the text
itself defines a function of such a name, it has to do nothing but return what it reads: an arena's `get()` gives new memory each
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from automata.lang.host.tokens import Tokens, is_name

Range = tuple[int, int]
_CASTS = ("reinterpret_cast", "static_cast", "const_cast")
_GIVING = {"data", "get"}
"""Functions of containers and smart pointers that give the memory they hold."""
_NOTHING = {"nullptr", "NULL", "new", "delete", "sizeof", "this"}
_JOINING = {".", "->", "::", "[", "]", "&", "*"}


def same_pointers(tokens: Tokens, args: Sequence[Range]) -> tuple[tuple[int, ...], ...]:
    """The numbers of arguments that are one pointer if they are pointers at all, together."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, (begin, end) in enumerate(args):
        if words := _read(tokens, begin, end):
            groups.setdefault(words, []).append(number)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _read(tokens: Tokens, begin: int, end: int) -> tuple[str, ...]:
    """The words of an argument without its casts; none where it is more than the reading of a variable."""
    text = tokens.text
    while begin < end:
        closing = tokens.match[begin] if text[begin] == "(" else -1
        if closing == end - 1:
            begin, end = begin + 1, end - 1
        elif begin < closing < end and text[closing - 1] == "*":
            begin = closing + 1
        elif text[begin] in _CASTS and tokens.angle_end(begin + 1) > 0:
            begin = tokens.angle_end(begin + 1) + 1
        elif text[begin] == "raw_pointer_cast" or text[begin : begin + 3] == ["thrust", "::", "raw_pointer_cast"]:
            begin += 1 if text[begin] == "raw_pointer_cast" else 3
        else:
            break
    words = list(text[begin:end])
    at = 0
    while at < len(words):
        word = words[at]
        is_giving = word in _GIVING and words[at + 1 : at + 3] == ["(", ")"] and words[at - 1] in (".", "->") and (
            _only_returns(tokens, word))
        if word in _NOTHING or not (is_giving or word in _JOINING or is_name(word) or word.isdigit()):
            return ()
        at += 3 if is_giving else 1
    return tuple(words) if words and any(map(is_name, words)) and not words[0].isdigit() else ()


def _only_returns(tokens: Tokens, name: str) -> bool:
    """Whether every function of a name that the text defines does nothing but return what it reads."""
    text = tokens.text
    for at in range(1, tokens.size):
        if text[at] != name or text[at + 1 : at + 3] != ["(", ")"] or text[at - 1] in (".", "->"):
            continue
        begin = next(index for index in range(at + 3, len(text)) if text[index] in ("{", ";", ""))
        if text[begin] == "{" and not _is_reading(text[begin + 1 : tokens.match[begin]]):
            return False
    return True


def _is_reading(body: Sequence[str]) -> bool:
    """Whether a body is the return of what it reads."""
    return body[:1] == ["return"] and all(
        (word in _JOINING or word.isidentifier() or word.isdigit() or word in "()<>;")
        and (word != "(" or before in (*_GIVING, "return") or not before.isidentifier()) for before, word in pairwise(body))
