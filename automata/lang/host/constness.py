"""Whether code of the device leaves alone what it is handed by a pointer to const.

In: one text. Out: whether nothing in it can take `const` away: no cast to a pointer or a reference that is not to const, none
to a type whose name hides one, no assembly, no union, no copy of bytes; and whether all of the text is seen.
"""

from __future__ import annotations

from functools import cached_property

from automata.lang.host.program import Program
from automata.lang.host.tokens import is_name
from automata.lang.host.types import type_of_range

_HIDING = frozenset({"const_cast", "asm", "__asm__", "__asm", "memcpy", "memmove", "decltype", "union"})
_OF_DEVICE = frozenset({"__device__", "__global__", "constexpr"})
_POINTING = frozenset({"*", "&", "&&"})
_BEFORE_CAST = frozenset({"return", "case", "else", "do"})
_BEGINS = frozenset({"(", "<", ",", ";", "{", "}", ")"})
_QUALIFIERS = frozenset({"const", "volatile", "__restrict__", "__restrict", "restrict", "*"})


class Constness:
    """Asked about one text."""

    def __init__(self, program: Program) -> None:
        self.program, self.text = program, program.tokens.text

    @cached_property
    def is_kept(self) -> bool:
        """Whether no code of the device can change what it has a pointer to const to."""
        if self.program.has_unseen or any(map(self._hides, range(len(self.text)))):
            return False
        return all(self._keeps(at) for at in range(1, self.program.tokens.size) if not self._is_of_host(at))

    def _is_of_host(self, at: int) -> bool:
        """Whether a token stands in a function of the host alone."""
        region = self.program.region_at(at)
        return region is not None and not region.is_device and _OF_DEVICE.isdisjoint(self.text[region.begin : region.opening])

    def _hides(self, at: int) -> bool:
        """Whether a name is declared for a pointer or a reference that is not to const."""
        if self.text[at] not in ("typedef", "using"):
            return False
        words = self.text[at : self.program.tokens.statement_end(at, self.program.tokens.size)]
        return not _POINTING.isdisjoint(words) and "const" not in words

    def _keeps(self, at: int) -> bool:
        text = self.text
        if text[at] in _HIDING:
            return False
        if text[at] in _POINTING:
            behind = next(place for place in range(at + 1, len(text)) if text[place] not in _QUALIFIERS)
            if text[behind] in (")", ">"):
                return self._is_to_const(at)
        is_cast = text[at] == ")" and (is_name(text[at + 1]) or text[at + 1] in ("(", "&")) and self.program.tokens.match[at] > 0
        return not is_cast or self._is_plain_cast(self.program.tokens.match[at], at)

    def _is_plain_cast(self, opening: int, close: int) -> bool:
        """Whether brackets are no cast, or one to a number, or hold a `*` or `&` that is looked at by itself."""
        before = self.text[opening - 1]
        if (is_name(before) and before not in _BEFORE_CAST) or before in (")", "]", ">", ">>>") or close > opening + 2:
            return True
        kind = type_of_range(self.program.tokens, opening + 1, close, self.program.types)
        return kind is not None and kind.is_number

    def _is_to_const(self, at: int) -> bool:
        """Whether a cast that ends with the type `T *` gives a pointer to const, as far as its tokens tell."""
        begin = at
        while self.text[begin - 1] not in _BEGINS:
            begin -= 1
        return "const" in self.text[begin:at] and self.text[at + 1] != "*"
