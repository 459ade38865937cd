"""The template arguments of explicit instantiations of host functions: those that are written, and those that C++ deduces.

`template void go<4>(float *, int);` instantiates `template <int N, typename T> void go(T *p, int n)` for 4 and float. What is not
written is deduced from the type of the function alone ([temp.deduct.decl]), which has to be the same as that of the template. So
a parameter `T *` against `float *` says that T is float, and a program that compiles says nothing else anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.host.declarations import Parameter
from automata.lang.host.functions import Region
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.types import QUALIFIERS, TypeNames, read_type

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Instantiation:
    """`name`: the token of the name; `given`: the template arguments that are written; `parameters`: of the function."""

    name: int
    given: tuple[Range, ...]
    parameters: tuple[Range, ...]

    def arguments(self, tokens: Tokens, region: Region, types: TypeNames) -> tuple[Range, ...] | None:
        """All template arguments, as tokens; None where one of them is not certain."""
        found = list(self.given)
        for begin, end in region.templates[len(found) :]:
            is_type = tokens.text[begin] in ("typename", "class") and end == begin + 2
            made = self._deduced(tokens, tokens.text[end - 1], region, types) if is_type else None
            if made is None:
                return None
            found.append(made)
        return tuple(found) if len(found) == len(region.templates) else None

    def _deduced(self, tokens: Tokens, name: str, region: Region, types: TypeNames) -> Range | None:
        """What a parameter of the template is, by the first parameter of the function that is a pointer to it."""
        heads = region.head.parameters
        if len(heads) != len(self.parameters) or region.head.is_variadic or region.head.is_pack:
            return None
        for part, head in zip(self.parameters, heads, strict=True):
            kind = head.type if head is not None else None
            if head is not None and kind is not None and (kind.kind, kind.name) == ("other", name) and kind.pointers:
                return _pointed(tokens, part, head, types)
        return None


def instantiation(tokens: Tokens, at: int, stop: int) -> Instantiation | None:
    """What is instantiated by the tokens behind `template`; None for a class, a member and all that is written otherwise."""
    text = tokens.text
    opening = next((place for place in range(at, stop) if text[place] == "("), -1)
    close = tokens.match[opening] if opening > 0 else -1
    if not opening < close < stop or text[close + 1] != ";":
        return None
    begin, given = opening - 1, tuple[Range, ...]()
    if text[begin] in (">", ">>"):
        depth = text[begin].count(">")
        while at < begin and depth:
            begin -= 1
            depth += text[begin].count(">") - text[begin].count("<")
        if depth:
            return None
        given, begin = tuple(tokens.split(begin + 1, opening - 1)), begin - 1
    if begin <= at or not is_name(text[begin]) or text[begin - 1] in ("::", ".", "->", "operator"):
        return None
    return Instantiation(begin, given, tuple(tokens.split(opening + 1, close)))


def _pointed(tokens: Tokens, part: Range, head: Parameter, types: TypeNames) -> Range | None:
    """The tokens of the type that a parameter points to, where the template's parameter of as many stars has a name for it."""
    kind, begin = head.type, part[0]
    while begin < part[1] and tokens.text[begin] in QUALIFIERS:
        begin += 1
    found = read_type(tokens, begin, part[1], types)
    if found is None or kind is None or found[0].reference or found[0].pointers:
        return None
    end = found[1]
    stars = 0
    while end + stars < part[1] and tokens.text[end + stars] == "*":
        stars += 1
    qualifiers = {word for word in tokens.text[part[0] : begin] if word != "const"} | set(tokens.text[begin:end]) & QUALIFIERS
    is_const = ("const" in tokens.text[part[0] : begin]) == ("const" in kind.words)
    return (begin, end) if stars == kind.pointers and not qualifiers and is_const else None
