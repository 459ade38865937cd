"""Declarations of variables in host code: type, name, initialiser.

What is declared in any other form (brackets around the name, structured bindings, `decltype`) raises `NotUnderstood`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from automata.lang.host.numbers import Number
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tokens import Tokens, is_name, is_word
from automata.lang.host.types import QUALIFIERS, Type, TypeNames, read_declarator, read_type

Form = Literal["", "=", "(", "{", "unknown"]
_AFTER_NAME = frozenset({"=", ";", ",", "(", "{", "[", ":", ")", ""})
_MAX_SKIPPED = 60


@dataclass(eq=False, slots=True)
class Variable:
    """A variable as it was declared, and what happens to it.

    `form`, `init`: how it is initialised, and with what; `unknown`: by something else. `block`: the number of the block that
    declares it; `start`, `end`: outside of functions, where it can be named, and in `spaces`, its namespaces, where these are
    opened again. `escapes`: it may be changed where it is not seen.
    `assigned`: where it is assigned to, and with what: a statement of its own in its own block has a value, any other None.
    `settings`: the same in order, with a value for any statement of its own; `made`: with what, wherever that stands.
    `fields`: the members of a `dim3` that are assigned to, each as a variable that `is_axis`; of a plain structure the numbers
    among its fields, of which it is the `owner`. `record`: the names of all fields of such a one, in order; `is_flat`: each is a
    number or a pointer; `is_object`: its class has functions; `copied`: which of the arguments it is made of are only copied.
    `among`: a `for` gives it each
    element of a range. `past`: an enumerator has the value of its initialiser plus this. `numeric`, `sizes`: it is certainly a
    number, a `dim3`. `cells`: the elements of an array of numbers that are assigned to by their number, each as a variable;
    `stored`: by the token of the array's name, with what any element is set there, None for what is not a statement of its own.
    """

    name: str
    at: int
    type: Type
    form: Form = ""
    init: tuple[Node, ...] = ()
    is_array: bool = False
    block: int = -1
    start: int = -1
    end: int = -1
    spaces: tuple[str, ...] = ()
    is_local: bool = True
    is_parameter: bool = False
    is_member: bool = False
    escapes: bool = False
    assigned: list[tuple[int, Node | None]] = field(default_factory=list)
    settings: list[tuple[int, Node | None]] = field(default_factory=list)
    made: list[Node | None] = field(default_factory=list)
    fields: dict[str, Variable] = field(default_factory=dict)
    cells: dict[int, Variable] = field(default_factory=dict)
    stored: dict[int, Node | None] = field(default_factory=dict)
    past: int = 0
    is_enumerator: bool = False
    among: Node | None = None
    numeric: bool = False
    sizes: bool = False
    is_axis: bool = False
    record: tuple[str, ...] = ()
    is_flat: bool = False
    is_object: bool = False
    copied: frozenset[int] = frozenset()
    owner: Variable | None = None

    @property
    def is_number(self) -> bool:
        """Whether its value, or that of what it refers to, is certainly a number."""
        return self.numeric or (self.type.kind == "number" and not self.is_array and not self.type.pointers)

    def set(self, at: int, value: Node | None, direct: bool, made: Node | None = None) -> None:
        """Note that it is assigned to: with what, in a statement of its own, perhaps `direct` in its own block; `made`: with
        what, in another expression."""
        self.assigned.append((at, value if direct else None))
        self.settings.append((at, value))
        self.made.append(value if value is not None else made)

    def field(self, name: str, number: Number) -> Variable:
        """A member, as a variable of a type."""
        if name not in self.fields:
            self.fields[name] = Variable(self.name, self.at, Type("number", number), block=self.block, is_local=self.is_local,
                                         is_member=self.is_member, numeric=True, is_axis=True)
        return self.fields[name]

    def cell(self, index: int) -> Variable:
        """An element, as a variable."""
        if index not in self.cells:
            self.cells[index] = Variable(self.name, self.at, self.type, block=self.block, is_local=self.is_local, numeric=True)
        return self.cells[index]

    @property
    def is_scalar(self) -> bool:
        return not self.is_array and not self.type.reference and not self.type.pointers


def starts_declaration(tokens: Tokens, at: int, end: int, names: TypeNames) -> bool:
    """Whether a statement that begins at an index declares variables."""
    found = read_type(tokens, at, end, names)
    whole = read_declarator(tokens, found[1], found[0]) if found else None
    if whole is None or whole[1] >= end or not is_name(tokens.text[whole[1]]):
        return False
    return tokens.text[whole[1] + 1] in _AFTER_NAME


def read_declaration(tokens: Tokens, at: int, end: int, names: TypeNames) -> tuple[list[Variable], int]:
    """The variables that a declaration at an index declares, and the index of what ends it (`;`, `:` or the end)."""
    found = read_type(tokens, at, end, names)
    if found is None:
        raise NotUnderstood
    base, at = found
    declared: list[Variable] = []
    while True:
        variable, at = _declared(tokens, at, end, base, names)
        declared.append(variable)
        if at >= end or tokens.text[at] != ",":
            return declared, at
        at += 1


def _declared(tokens: Tokens, at: int, end: int, base: Type, names: TypeNames) -> tuple[Variable, int]:
    whole = read_declarator(tokens, at, base)
    if whole is None or whole[1] >= end or not is_name(tokens.text[whole[1]]):
        raise NotUnderstood
    kind, at = whole
    if kind.kind == "void" and not kind.pointers:
        raise NotUnderstood
    variable = Variable(tokens.text[at], at, kind)
    at += 1
    dims: list[Node] = []
    while at < end and tokens.text[at] == "[":
        close = tokens.match[at]
        if not at < close < end:
            raise NotUnderstood
        if close > at + 1:
            dims.append(ExpressionReader(tokens, at + 1, close, names).whole())
        variable.is_array, at = True, close + 1
    token = tokens.text[at] if at < end else ""
    if token == "=":
        reader = ExpressionReader(tokens, at + 1, end, names)
        variable.form, variable.init, at = "=", (reader.initialiser(),), reader.at
    elif token in ("(", "{"):
        reader = ExpressionReader(tokens, at, end, names)
        variable.form, variable.init = "(" if token == "(" else "{", reader.listed(token, ")" if token == "(" else "}")
        at = reader.at
        if token == "(" and not variable.init:
            raise NotUnderstood
    if at < end and tokens.text[at] not in (",", ";", ":"):
        raise NotUnderstood
    variable.init += tuple(dims) if variable.is_array else ()
    return variable, at


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function. `copies`: a plain argument is copied; `is_generic`: if no template argument says otherwise.
    `variable` None: it has no name. `type`: as it is declared. `default`: the tokens of what it is if no argument is given.
    `spelled`: the words of its type before `*` and `&`, `const` first."""

    copies: bool
    variable: Variable | None
    is_generic: bool = False
    type: Type | None = None
    default: tuple[int, int] | None = None
    spelled: str = ""

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer by value, or an array."""
        is_array = self.variable is not None and self.variable.is_array
        return is_array or (self.type is not None and self.type.pointers > 0 and not self.type.reference)


def read_parameter(tokens: Tokens, begin: int, end: int, names: TypeNames, templates: frozenset[str]) -> Parameter | None:
    """The parameter that [begin, end) declares; None where it is not understood. `templates`: its function's type parameters."""
    found = read_type(tokens, begin, end, names)
    whole = read_declarator(tokens, found[1], found[0]) if found else None
    if whole is None:
        return None
    kind, at = whole
    is_generic = kind.kind == "other" and kind.name in templates and not kind.reference
    copies, spelled = kind.copies or is_generic, _spelled(tokens.text[begin:found[1]] if found else [])
    if at >= end:
        return Parameter(copies, None, is_generic, kind, spelled=spelled)
    if tokens.text[at] == "=":
        return Parameter(copies, None, is_generic, kind, (at + 1, end), spelled)
    if not is_name(tokens.text[at]):
        return None
    variable = Variable(tokens.text[at], at, kind, "unknown", is_parameter=True)
    at += 1
    while at < end and tokens.text[at] == "[" and at < tokens.match[at] < end:
        variable.is_array, copies, at = True, True, tokens.match[at] + 1
    if at < end and tokens.text[at] != "=":
        return None
    return Parameter(copies, variable, is_generic, kind, (at + 1, end) if at < end else None, spelled)


def _spelled(words: list[str]) -> str:
    """A type in its words; what is no part of it, and `std::`, left out."""
    plain = " ".join(each for each in words if each not in QUALIFIERS)
    return ("const " if "const" in words else "") + plain.replace("std :: ", "")


def read_enumerators(tokens: Tokens, at: int, end: int, names: TypeNames) -> list[Variable]:
    """The enumerators in [at, end): constants of the type int, made of small numbers and each other; of others the type is not
    told here, nor what operators of the file do with them."""
    if "operator" in tokens.text or any(map(_is_large, tokens.text[at:end])):
        raise NotUnderstood
    own = {tokens.text[begin] for begin, _ in tokens.split(at, end)}
    if any(is_word(token) and token not in own for token in tokens.text[at:end]):
        raise NotUnderstood
    found: list[Variable] = []
    kind = Type("number", names.named("int32_t", True).number, "int", frozenset({"const"}))
    last: Variable | None = None
    for begin, stop in tokens.split(at, end):
        if not is_name(tokens.text[begin]):
            raise NotUnderstood
        variable = Variable(tokens.text[begin], begin, kind, is_enumerator=True, numeric=True)
        if tokens.text[begin + 1] == "=" and begin + 1 < stop:
            variable.form, variable.init = "=", (ExpressionReader(tokens, begin + 2, stop, names).whole(),)
        elif stop != begin + 1:
            raise NotUnderstood
        elif last is not None:
            variable.form, variable.init, variable.past = last.form, last.init, last.past + 1
        last = variable
        found.append(variable)
    return found


def _is_large(token: str) -> bool:
    """Whether a number may be more than an int holds, or says of what type it is."""
    return token[:1].isdigit() and (len(token) > 9 or not token.isalnum() or bool(set(token.lower()) & set("ul")))


def may_be_function(tokens: Tokens, variables: list[Variable], names: TypeNames) -> bool:
    """Whether a declaration is one of a function after all: `int f(T *a);`, where T is a type ([dcl.ambig.res])."""
    return len(variables) == 1 and variables[0].form == "(" and all(
        tokens.text[begin] in names.hidden | names.aliases.keys()
        for begin, _ in tokens.split(variables[0].at + 2, tokens.match[variables[0].at + 1]))
