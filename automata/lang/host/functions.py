"""Heads of functions: what they take, what they give, and where their bodies are."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from automata.lang.host.declarations import Parameter, read_parameter
from automata.lang.host.syntax import ASSIGNING, NotUnderstood
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.types import POINTER_WORDS, Type, TypeNames, read_declarator, read_type

Range = tuple[int, int]
CHANGING = ASSIGNING | {"++", "--"}
"""Operators that change their left side."""
ANY = "*"
"""For any type."""
SPECIAL = "<>"
"""Stands behind the name of a specialisation of a function's template, which is a function of its own."""
_NESTED = frozenset({"<", "(", "[", "...", "="})
_NOT_PARAMETERS = frozenset({"__launch_bounds__", "__attribute__", "noexcept", "alignas", "__declspec", "decltype", "requires",
                             "explicit", "__align__", "throw"})


@dataclass(frozen=True, slots=True)
class Head:
    """A function as it is declared somewhere. `parameters`: None for one that is not understood. `is_pack`: the last one takes
    any number of arguments; `copies_pack`: by value."""

    parameters: tuple[Parameter | None, ...]
    is_variadic: bool
    gives_number: bool
    is_pack: bool = False
    copies_pack: bool = False

    def taken(self, is_made: bool, is_changing: bool) -> set[str]:
        """The types that a constructor (`is_made`) takes, ANY of a template; of an operator, those that it takes references to
        which are not `const`, but not that of the left side of one of two that is known to change it. None for pointers."""
        kept = self.parameters[1:] if is_changing and len(self.parameters) > 1 else self.parameters
        found = [(each, each.type) for each in kept if each is not None and each.type is not None]
        return {ANY if each.is_generic or kind.kind == "auto" else kind.name for each, kind in found
                if (is_made or (kind.reference and not kind.is_const)) and (kind.reference or not each.is_pointer)}

    def copies(self, index: int, is_explicit: bool) -> bool:
        """Whether an argument is copied, or cannot be one of this function. `is_explicit`: template arguments are given."""
        if self.is_pack and index >= len(self.parameters) - 1:
            return self.copies_pack and not is_explicit
        if index >= len(self.parameters):
            return True
        parameter = self.parameters[index]
        return parameter is not None and parameter.copies and not (parameter.is_generic and is_explicit)


@dataclass(eq=False, slots=True)
class Region:
    """A function with a body. Tokens: [begin, end) whole, the body between `opening` and its brace.

    `barred`: names of which nothing is known here. `is_clouded`: nothing is known of any. `is_foreign`: names may mean
    members that are not seen; `is_method`: to members of a class. `ordered_to`: up to which token its
    statements run in the order of the text, as no label comes before. `inits`: a constructor's
    initialisers. `gives`: the type of its result. `templates`: the parameters of its template, as they are written. `is_own`:
    only this text can call it; `is_exported`: other languages can. `of`: the class of a method that is defined outside of it;
    `body`: the brace that opens the body of a method's class, where that is known.
    """

    begin: int
    opening: int
    end: int
    head: Head
    gives: Type | None
    barred: set[str] = field(default_factory=set)
    inits: list[tuple[str, int, int]] = field(default_factory=list)
    is_device: bool = False
    is_foreign: bool = False
    is_clouded: bool = False
    ordered_to: int = sys.maxsize
    is_method: bool = False
    name: str = ""
    templates: tuple[tuple[int, int], ...] = ()
    is_own: bool = False
    is_exported: bool = False
    of: str = ""
    body: int = -1


@dataclass(frozen=True, slots=True)
class Stated:
    """A head with what stands around it: the function's name and where it stands, what qualifies it, the type of its result, its
    brackets."""

    head: Head
    name: str
    at: int
    qualifiers: list[str]
    gives: Type | None
    brackets: tuple[int, int]


class Heads:
    """Reads the heads of functions."""

    def __init__(self, tokens: Tokens, types: TypeNames) -> None:
        self.tokens, self.types = tokens, types

    def _groups(self, at: int, end: int) -> list[int]:
        """The brackets in a function's head that may hold its parameters."""
        text, match, found = self.tokens.text, self.tokens.match, list[int]()
        while at < end and text[at] not in (":", "->") and (text[at] != "=" or text[at - 1] == "operator"):
            if text[at] == "(" and match[at] < at:
                break
            if text[at] == "<" and not found and is_name(text[at - 1]):
                at = max(at, self._past_arguments(at, end))
            if text[at] == "(" and text[at - 1] not in _NOT_PARAMETERS:
                found.append(at)
            at = match[at] + 1 if text[at] == "(" else at + 1
        return found

    def _past_arguments(self, at: int, end: int) -> int:
        """The `>` that closes template arguments in the type of a result, which may hold conditions; -1 for none. No expression
        stands there that is not in brackets."""
        text, match, depth = self.tokens.text, self.tokens.match, 0
        while at < end and text[at] not in (";", "{", "}", ")", "]"):
            depth += text[at] == "<"
            if text[at] in (">", ">>", ">>>"):
                depth -= len(text[at])
                if depth <= 0:
                    return at if depth == 0 else -1
            if text[at] in ("(", "["):
                at = max(at, match[at])
            at += 1
        return -1

    def stated(self, at: int, end: int, template: tuple[int, int] | None) -> Stated:
        """The head in [at, end); NotUnderstood where there is none."""
        groups = self._groups(at, end)
        if not groups or (len(groups) > 1 and self.tokens.text[groups[0] - 1] != "operator"):
            raise NotUnderstood
        text, opening = self.tokens.text, groups[-1]
        close = self.tokens.match[opening]
        name_at = next((index for index in range(at, opening) if text[index] == "operator"), opening - 1)
        special = self._specialised(at, name_at)
        name_at = name_at if special < 0 else special
        first, qualifiers = self._qualifiers(at, name_at)
        result = read_type(self.tokens, at, first, self.types) if first > at else None
        whole = read_declarator(self.tokens, result[1], result[0]) if result else None
        gives = whole[0] if whole is not None and whole[1] == first and text[close + 1] != "->" else None
        head = self._parameters(opening, close, template, gives is not None and gives.is_number)
        return Stated(head, text[name_at] + SPECIAL * (special >= 0), name_at, qualifiers, gives, (opening, close))

    def _specialised(self, begin: int, close: int) -> int:
        """The name whose template's arguments end at a token, where a specialisation of it is declared; -1 for none."""
        text, depth = self.tokens.text, 0
        for at in range(close, begin, -1):
            depth += text[at].count(">") - text[at].count("<")
            if depth <= 0:
                return at - 1 if at < close and is_name(text[at - 1]) else -1
        return -1

    def _qualifiers(self, at: int, name_at: int) -> tuple[int, list[str]]:
        """The first token of a name with what qualifies it, and that."""
        text, first, found = self.tokens.text, name_at, list[str]()
        while first - 2 >= at and text[first - 1] == "::":
            angle = text[first - 2] == ">"
            first -= 2
            while angle and first > at and text[first] != "<":
                first -= 1
            first -= angle
            found.append(text[first])
        return first, found

    def _parameters(self, opening: int, close: int, template: Range | None, gives_number: bool) -> Head:
        text = self.tokens.text
        inside = self.tokens.split(opening + 1, close)
        is_variadic = bool(inside) and text[inside[-1][0]] == "..."
        if is_variadic or text[opening + 1 : close] == ["void"]:
            inside = inside[:-1]
        templates = self._type_parameters(template)
        packs = [at for at, (begin, end) in enumerate(inside) if "..." in text[begin:end]]
        is_last = packs == [len(inside) - 1]
        unknown = set(packs if is_last else range(len(inside)) if packs else ())
        parameters = tuple(None if at in unknown else read_parameter(self.tokens, *part, self.types, templates)
                           for at, part in enumerate(inside))
        copies_pack = is_last and self._is_by_value(*inside[-1], template)
        return Head(parameters, is_variadic, gives_number, bool(packs), copies_pack)

    def _is_by_value(self, begin: int, end: int, template: Range | None) -> bool:
        """Whether [begin, end) declares `A... a`, where A is a pack of types of the template."""
        text, whole = self.tokens.text, range(*template) if template is not None else range(0)
        packs = {text[at + 2] for at in whole if text[at] in ("typename", "class") and text[at + 1] == "..."}
        return end == begin + 3 and text[begin + 1] == "..." and text[begin] in packs

    def _type_parameters(self, template: Range | None) -> frozenset[str]:
        text, whole = self.tokens.text, range(*template) if template is not None else range(0)
        return frozenset(text[at + 1] for at in whole if text[at] in ("typename", "class"))

    def read_inits(self, region: Region, at: int, opening: int) -> None:
        """What stands between the parameters and the body."""
        text, match = self.tokens.text, self.tokens.match
        while at < opening and text[at] != ":":
            at += 1
        at += 1
        while at < opening:
            name, inner = text[at], at + 1
            if not is_name(name) or text[inner] not in ("(", "{") or match[inner] < 0:
                region.barred |= self.tokens.names(at, opening)
                return
            region.inits.append((name, inner + 1, match[inner]))
            at = match[inner] + 2


def type_words(words: list[str]) -> list[str]:
    """A parameter's type as it is written, without its name and what qualifies the parameter alone: `int *const p` and `int *p`
    are parameters of one function ([dcl.fct])."""
    words = words[: len(words) - is_name(words[-1])]
    if not _NESTED.isdisjoint(words):
        return words
    stars = [at for at, word in enumerate(words) if word in ("*", "&", "&&")]
    own = range(stars[-1] + 1 if stars else 0, len(words))
    return [word for at, word in enumerate(words) if at not in own or word not in POINTER_WORDS - {"*"}]
