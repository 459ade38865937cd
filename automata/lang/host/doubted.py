"""What conditions decide that are not the file's own, in tokens: where it stands, and of which names nothing is known for it.

In: host code with the stretches of its files that such conditions decide about (`Text.doubts`), and its tokens. Out: a `Doubt`
for each: all words of its branches, and where in the tokens it counts. Outside of functions any of these names may mean another
thing, within a function only where the stretch stands: what is declared elsewhere does not change a local name. A macro does,
wherever it is defined; those that the stretches may define are doubted everywhere.

Each branch has brackets in pairs (`foreign.Doubts` sees to that), so the brackets around it are the same whatever is chosen. A
branch that is no whole statement, or stands in the middle of one, may change what that statement says, or the next one. So such
a stretch is widened: back to where the statement begins, out of brackets that are no block, and on to the end of a statement
behind.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from automata.lang.host.tokens import Tokens, is_word
from automata.lang.source import Text

_ENDED = frozenset({";", "{", ""})
_GOES_ON = frozenset({"else", "while", "catch", ";", ",", ")", "=", "(", ".", "->", "[", "::", "?", ":", "+", "-", "*", "/"})
_BEFORE_BLOCK = frozenset({"{", "}", ";", "else", "do", "try", ")", ""})
_SCOPES = frozenset({"namespace", "extern", "class", "struct", "union"})
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Doubt:
    """Tokens [begin, end) in which nothing is known of some names."""

    begin: int
    end: int
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Doubts:
    """All of a text. `everywhere`: the names that count in all of it."""

    stretches: tuple[Doubt, ...] = ()
    everywhere: frozenset[str] = frozenset()

    @property
    def names(self) -> set[str]:
        return set(self.everywhere).union(*(each.names for each in self.stretches))

    def within(self, begin: int, end: int) -> set[str]:
        """The names of which nothing is known in tokens [begin, end)."""
        return set(self.everywhere).union(*(each.names for each in self.stretches if each.begin <= end and begin <= each.end))


class _Made:
    """What was made of the files, by positions in them. A condition makes a line of its own, in whatever branch."""

    def __init__(self, text: Text) -> None:
        stops = [*text.starts[1:], len(text.text)]
        self.rows = sorted((at, start, stop) for (at, _), start, stop in zip(text.origins, text.starts, stops, strict=True))

    def between(self, begin: int, end: int) -> tuple[int, int] | None:
        """The first offset of what comes from between two positions, and past the last; None where nothing does."""
        first, last = bisect.bisect_left(self.rows, (begin,)), bisect.bisect_left(self.rows, (end,))
        found = self.rows[first:last]
        return (min(row[1] for row in found), max(row[2] for row in found)) if found else None


def read_doubts(text: Text, tokens: Tokens) -> Doubts | None:
    """The doubts of a text; None where they decide more than can be told."""
    found, made = list[Doubt](), _Made(text)
    for stretch in text.doubts:
        words = text.words(*stretch)
        offsets = made.between(*stretch)
        if offsets is None:
            if stretch in text.parted:
                return None
            found.append(Doubt(0, tokens.size, frozenset(words)))
            continue
        begin, end = (bisect.bisect_left(tokens.starts, offset) for offset in offsets)
        if stretch in text.parted or _is_amid(tokens, begin, end):
            widened = _widened(tokens, begin, end)
            if widened is None:
                return None
            begin, end = widened
            words |= {token for token in tokens.text[begin:end] if is_word(token)}
        found.append(Doubt(begin, end, frozenset(words)))
    return Doubts(tuple(found), text.unsure)


def _is_amid(tokens: Tokens, begin: int, end: int) -> bool:
    """Whether tokens do not stand between two statements."""
    before = tokens.text[begin - 1] if begin else ""
    is_behind = before in _ENDED or (before == "}" and _is_block(tokens, tokens.match[begin - 1]))
    return not is_behind or tokens.text[end] in ("else", "catch") or (before == "{" and not _is_block(tokens, begin - 1))


def _widened(tokens: Tokens, begin: int, end: int) -> tuple[int, int] | None:
    """The statements around tokens."""
    for _ in range(_DEEPEST):
        opening = _around(tokens, begin)
        if opening < 0 or _is_block(tokens, opening):
            last = _ended(tokens, end)
            return None if last is None else (_begun(tokens, begin), last)
        if tokens.match[opening] < end:
            return None
        begin, end = opening, tokens.match[opening] + 1
    return None


def _around(tokens: Tokens, at: int) -> int:
    """The bracket around a token; -1 where there is none."""
    at -= 1
    while at >= 0 and tokens.text[at] not in ("(", "[", "{"):
        at = tokens.match[at] if tokens.text[at] in (")", "]", "}") and 0 <= tokens.match[at] < at else at
        at -= 1
    return at


def _begun(tokens: Tokens, at: int) -> int:
    """Where the statement begins in which a token stands."""
    text, match = tokens.text, tokens.match
    while at > 0:
        before = text[at - 1]
        if before in (";", "(", "[", "{") or (before == "}" and 0 <= match[at - 1] < at and _is_block(tokens, match[at - 1])):
            return at
        at = match[at - 1] if before in (")", "]", "}") and 0 <= match[at - 1] < at else at - 1
    return 0


def _ended(tokens: Tokens, at: int) -> int | None:
    """Past the statement that ends at a token or behind it, at most up to the brace that closes its block."""
    text, match = tokens.text, tokens.match
    while at < tokens.size:
        token = text[at]
        if token == "}":
            return at
        if token in (")", "]"):
            return None
        if token == ";" and text[at + 1] != "else":
            return at + 1
        if token in ("(", "[", "{"):
            close = match[at]
            if close < at:
                return None
            if token == "{" and text[close + 1] not in _GOES_ON and _is_block(tokens, at):
                return close + 1
            at = close
        at += 1
    return tokens.size


def _is_block(tokens: Tokens, opening: int) -> bool:
    """Whether a bracket opens the body of a function or a class, a namespace, or a block: no list of values."""
    text = tokens.text
    if opening < 0 or text[opening] != "{":
        return False
    if opening == 0 or text[opening - 1] in _BEFORE_BLOCK:
        return True
    begin = opening
    while begin > 0 and text[begin - 1] not in (";", "{", "}", "(", "["):
        before = tokens.match[begin - 1] if text[begin - 1] == ")" else -1
        begin = before if 0 <= before < begin else begin - 1
    head = text[begin:opening]
    return "=" not in head and "return" not in head and "enum" not in head and (")" in head or not _SCOPES.isdisjoint(head))
