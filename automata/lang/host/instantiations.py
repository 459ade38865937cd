"""The template arguments of explicit instantiations of host functions, classes and methods: those written, those C++ deduces.

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
    """`name`: the token of the name; `given`: the template arguments that are written; `parameters`: of the function. `of`: the
    class of a method, whose arguments are those that are given; `is_class`: it is a class, with all its methods."""

    name: int
    given: tuple[Range, ...]
    parameters: tuple[Range, ...] = ()
    of: str = ""
    is_class: bool = False

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
    """What is instantiated by the tokens behind `template`; None for a method of a method's template and all that is written
    otherwise."""
    text = tokens.text
    if text[at + 1] in ("class", "struct"):
        return _of_class(tokens, at + 2, stop - 1)
    opening = next((place for place in range(at, stop) if text[place] == "("), -1)
    close = tokens.match[opening] if opening > 0 else -1
    if not opening < close < stop or text[close + 1] != ";":
        return None
    parameters = tuple(tokens.split(opening + 1, close))
    if text[opening - 2] == "::" and text[opening - 3] in (">", ">>") and is_name(text[opening - 1]):
        found = _arguments(tokens, at, opening - 3)
        is_method = found is not None and found[0] > at and is_name(text[found[0]])
        return Instantiation(opening - 1, found[1], parameters, text[found[0]]) if found is not None and is_method else None
    begin, given = _arguments(tokens, at, opening - 1) or (at, ())
    if begin <= at or not is_name(text[begin]) or text[begin - 1] in ("::", ".", "->", "operator"):
        return None
    return Instantiation(begin, given, parameters)


def _of_class(tokens: Tokens, at: int, stop: int) -> Instantiation | None:
    """`template class space::name<arguments>;`, from behind the keyword up to the semicolon."""
    found = _arguments(tokens, at - 1, stop - 1)
    is_one = found is not None and found[1] and all(
        is_name(word) if index % 2 == 0 else word == "::" for index, word in enumerate(tokens.text[at : found[0] + 1]))
    return Instantiation(found[0], found[1], (), tokens.text[found[0]], True) if found is not None and is_one else None


def _arguments(tokens: Tokens, at: int, last: int) -> tuple[int, tuple[Range, ...]] | None:
    """The token of a name behind which template arguments may stand that end at a token, and these; None where no `<` opens
    them."""
    text, begin = tokens.text, last
    if text[last] not in (">", ">>"):
        return last, ()
    depth = text[begin].count(">")
    while at < begin and depth:
        begin -= 1
        depth += text[begin].count(">") - text[begin].count("<")
    return None if depth else (begin - 1, tuple(tokens.split(begin + 1, last)))


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
