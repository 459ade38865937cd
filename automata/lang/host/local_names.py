"""Types that a block of host code has a name of its own for, put in where that name is used.

In: the tokens of a text, each with its offset, and the partner of each bracket. Out: the same with `{ using real = double; … }`
settled: each `real` of that block is `double`, and the declaration is gone. PyTorch's macros that choose the type of elements
make such a block for each type, so one launch in the text is one of each.

A name is put in only where every occurrence of it in the block can be nothing but the type: not behind `.`, `->` or `::`, not
where it may be declared anew. An inner block that gives the name anew is settled first, and left alone by the outer one.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from automata.lang.given import elements

_TYPE_WORDS = frozenset({"char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool"})
_BEFORE = frozenset({"<", ",", "(", ";", "{", "}", "const", "static", "constexpr", "volatile", "return", "=", "sizeof", "&&",
                     "||", "?", ":", "+", "-", "*", "/", "<<", "[", "]"})
_NOT_AFTER = frozenset({";", "=", "["})
_LONGEST = 13
"""Tokens of a type that is put in."""


@dataclass(frozen=True, slots=True)
class _Alias:
    """`using name = …;` from its first token to its semicolon, the words of the type, and the end of the block around it."""

    name: str
    begin: int
    semicolon: int
    words: list[str]
    end: int


def settled(text: list[str], starts: list[int], match: list[int]) -> tuple[list[str], list[int], list[int]]:
    """The tokens with the names that blocks give to types put in, and where each old one stands now, the end too. `match`: of
    each bracket its partner, else -1."""
    words: dict[int, list[str]] = {}
    gone: set[int] = set()
    for alias in sorted(_aliases(text, match), key=lambda each: each.begin, reverse=True):
        uses = _uses(text, alias, {*words, *gone})
        if uses is not None:
            words |= dict.fromkeys(uses, alias.words)
            gone.update(range(alias.begin, alias.semicolon))
    if not gone:
        return text, starts, list(range(len(text) + 1))
    made: list[str] = []
    places: list[int] = []
    moved: list[int] = []
    for at, (token, start) in enumerate(zip(text, starts, strict=True)):
        new = [] if at in gone else words.get(at, [token])
        moved.append(len(made))
        made += new
        places += [start] * len(new)
    return made, places, [*moved, len(made)]


def _aliases(text: list[str], match: list[int]) -> list[_Alias]:
    """The aliases of plain types that stand in a block."""
    found: list[_Alias] = []
    around: list[int] = []
    for at, token in enumerate(text):
        if token in ("(", "[", "{"):
            around.append(at)
        elif token in (")", "]", "}") and around:
            around.pop()
        elif token == "using" and text[at + 2:at + 3] == ["="] and around and text[around[-1]] == "{" and match[around[-1]] > at:
            semicolon = next((index for index in range(at + 3, min(at + 3 + _LONGEST, len(text))) if text[index] == ";"), -1)
            words = _of_elements(text[at + 3:semicolon]) if semicolon > at + 3 else []
            if words and _is_plain(words):
                found.append(_Alias(text[at + 1], at, semicolon, words, match[around[-1]]))
    return found


def _of_elements(words: list[str]) -> list[str]:
    """The type that PyTorch's template makes of its name for one; other words as they are."""
    if "".join(words[:6]) == "c10::impl::ScalarTypeToCPPTypeT<" and words[-1] == ">":
        return elements().get(words[-2].removeprefix("k"), [])
    return words


def _is_plain(words: list[str]) -> bool:
    """Whether words are one name, qualified or not, or the words of a built-in type."""
    if set(words) <= _TYPE_WORDS:
        return True
    return len(words) % 2 == 1 and all(word.isidentifier() for word in words[::2]) and set(words[1::2]) <= {"::"}


def _uses(text: list[str], alias: _Alias, done: Container[int]) -> list[int] | None:
    """Where a name is used in its block; None where one of these may be something else. `done`: tokens that are settled."""
    found: list[int] = []
    for at in range(alias.semicolon, alias.end):
        if text[at] != alias.name or at in done:
            continue
        is_listed = text[at - 1] == "," and not _is_in_angles(text, at, alias.semicolon)
        if text[at - 1] not in _BEFORE or text[at + 1] in _NOT_AFTER or is_listed:
            return None
        found.append(at)
    return found


def _is_in_angles(text: list[str], at: int, begin: int) -> bool:
    """Whether a `<` opens before a token in its statement."""
    while at > begin and text[at] not in (";", "{", "}"):
        if text[at] == "<":
            return True
        at -= 1
    return False
