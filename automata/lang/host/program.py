"""What a file declares outside of function bodies: functions, variables, types, and where the bodies are.

A variable of the file is known only if its name is declared once outside of all bodies, as a constant or `static`; what cannot be
read there bars every name in it for the whole file.
"""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass, field, replace

from automata.lang.host.declarations import Parameter, Variable, read_declaration, read_parameter
from automata.lang.host.library import is_known_header
from automata.lang.host.syntax import ExpressionReader, NotUnderstood
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.types import Type, TypeNames, is_vector, read_declarator, read_type

_MAX_DEPTH = 40
_DEVICE = frozenset({"__global__", "__device__", "__kernel"})
_NOT_PARAMETERS = frozenset({"__launch_bounds__", "__attribute__", "noexcept", "alignas", "__declspec", "decltype", "requires",
                             "explicit", "__align__", "throw"})
_SIMPLE_ALIAS = 12
_LONG_ALIAS = 400


@dataclass(frozen=True, slots=True)
class Head:
    """A function as it is declared somewhere. `parameters`: None for one that is not understood."""

    parameters: tuple[Parameter | None, ...]
    is_variadic: bool
    gives_number: bool

    def copies(self, index: int) -> bool:
        """Whether an argument is copied, or cannot be one of this function."""
        if index >= len(self.parameters):
            return True
        parameter = self.parameters[index]
        return parameter is not None and parameter.copies


@dataclass(eq=False, slots=True)
class Region:
    """A function with a body. Tokens: [begin, end) whole, the body between `opening` and its brace.

    `barred`: names of which nothing is known here. `is_clouded`: nothing is known of any. `is_foreign`: names may mean
    members that are not seen; `is_method`: to members of a class. `has_jumps`: it has labels. `inits`: a constructor's initialisers. `gives`: the type of its result.
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
    has_jumps: bool = False
    is_method: bool = False


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a declaration stands: up to `end`; in a class, perhaps one with bases."""

    end: int
    is_class: bool = False
    has_bases: bool = False
    depth: int = 0


class Program:
    """A file's declarations.

    `declared`: how often each name is, outside of bodies; `in_classes`: in classes. `barred`: names of which nothing is known. `means`: the variable that each
    token names. `declares`: the tokens that declare one.
    """

    def __init__(self, tokens: Tokens, missing: tuple[str, ...]) -> None:
        self.tokens = tokens
        self.types = TypeNames()
        self.functions: dict[str, list[Head]] = {}
        self.variables: dict[str, list[Variable]] = {}
        self.members: dict[str, list[Variable]] = {}
        self.declared: Counter[str] = Counter()
        self.in_classes: Counter[str] = Counter()
        self.barred: set[str] = set()
        self.tags: set[str] = set()
        self.namespaces: set[str] = set()
        self.classes: set[str] = set()
        self.regions: list[Region] = []
        self.means: dict[int, Variable] = {}
        self.declares: set[int] = set()
        self.positions: dict[str, list[int]] = {}
        self.jumped: set[int] = set()
        self.opened = 0
        self.has_unseen = not all(map(is_known_header, missing))
        self.trusts_operators = not self.has_unseen
        self._name_types()
        self._declarations(0, tokens.size, _Scope(tokens.size))
        self.regions.sort(key=lambda region: region.begin)
        self._begins = [region.begin for region in self.regions]

    def region_at(self, at: int) -> Region | None:
        """The function in which a token stands."""
        index = bisect.bisect_right(self._begins, at) - 1
        return self.regions[index] if index >= 0 and at < self.regions[index].end else None

    def outside(self, name: str, at: int, region: Region | None) -> Variable | None:
        """The variable outside of all bodies that a name means at a token."""
        found, hidden = self.variables.get(name, []), 0
        if region is not None and not region.is_method:
            found, hidden = [variable for variable in found if not variable.is_member], self.in_classes[name]
        if len(found) != 1 or self.declared[name] != hidden + 1 or name in self.barred or (region is not None and region.is_foreign):
            return None
        return found[0] if found[0].at < at < found[0].end else None

    def _count(self, name: str, scope: _Scope) -> None:
        self.declared[name] += 1
        self.in_classes[name] += scope.is_class

    def may_be_declared(self, name: str, region: Region | None) -> bool:
        """Whether what is not understood may declare a name."""
        return name in self.barred or (region is not None and name in region.barred)

    # Names of types, before anything is read

    def _name_types(self) -> None:
        text, depth, end = self.tokens.text, 0, 0
        for at in range(self.tokens.size):
            token = text[at]
            depth += (token == "{") - (token == "}")
            if token in ("struct", "class", "union", "enum", "typename", "concept", "namespace"):
                self._name_tag(at, token)
            elif token in ("typedef", "using") and at >= end:
                end = self._name_alias(at, depth)
            elif token in ("typedef", "using"):
                self.types.hidden |= self.tokens.names(at, at + _SIMPLE_ALIAS)

    def _name_tag(self, at: int, token: str) -> None:
        text = self.tokens.text
        following = text[at + 1 : at + 4]
        for name in following:
            if name in ("class", "struct", "...", "alignas", "__align__", "(") or name.isdigit():
                continue
            if is_name(name):
                (self.namespaces if token == "namespace" else self.types.hidden).add(name)
                if token in ("struct", "union", "class") and text[text.index(name, at) + 1] in ("{", ":", "final"):
                    self.tags.add(name)
            break

    def _name_alias(self, at: int, depth: int) -> int:
        """Note what a `typedef` or `using` names; where it ends."""
        tokens, text = self.tokens, self.tokens.text
        end = next((index for index in range(at, min(at + _SIMPLE_ALIAS, tokens.size)) if text[index] == ";"), -1)
        named = self._alias(at, end) if end > 0 and depth == 0 else None
        if named is not None and named[1].kind in ("number", "dim3", "copies") and named[0] not in self.types.hidden \
                and self.types.aliases.get(named[0], named[1]) == named[1]:
            self.types.aliases[named[0]] = named[1]
            return end
        if text[at + 1] == "namespace" or (text[at] == "using" and text[at + 1] == "std"):
            return at + 2
        stop = tokens.statement_end(at, min(at + _LONG_ALIAS, tokens.size))
        index = at
        while index < stop:
            opens = text[index] == "{" or (text[index] == "(" and text[index + 1] not in ("*", "&", "("))
            if opens and tokens.match[index] > index:
                index = tokens.match[index]
            elif is_name(text[index]) and text[index + 1] in (";", "[", ")", "=", ",", "("):
                self.types.hidden.add(text[index])
            index += 1
        return stop

    def _alias(self, at: int, end: int) -> tuple[str, Type] | None:
        text = self.tokens.text
        begin, stop, name = (at + 1, end - 1, text[end - 1]) if text[at] == "typedef" else (at + 3, end, text[at + 1])
        if not is_name(name) or (text[at] == "using" and text[at + 2] != "="):
            return None
        found = read_type(self.tokens, begin, stop, self.types)
        whole = read_declarator(self.tokens, found[1], found[0]) if found else None
        return (name, replace(whole[0], name=name)) if whole is not None and whole[1] == stop else None

    # Declarations

    def bar(self, begin: int, end: int) -> None:
        self.barred |= self.tokens.names(begin, end)

    def _declarations(self, at: int, end: int, scope: _Scope) -> None:
        while at < end:
            try:
                stop = self._declaration(at, end, scope)
            except NotUnderstood:
                stop = self.tokens.statement_end(at, end)
                self.bar(at, stop)
            at = max(stop, at + 1)

    def _declaration(self, at: int, end: int, scope: _Scope) -> int:
        """Read what is declared at an index; the index behind it."""
        text, begin = self.tokens.text, at
        template: tuple[int, int] | None = None
        while True:
            token = text[at]
            if token in (";", "}", "friend"):
                return at + 1
            if token == "template" and text[at + 1] != "<":
                return self.tokens.statement_end(at, end)
            if token in ("public", "private", "protected") and text[at + 1] == ":":
                return at + 2
            if token == "template" and text[at + 1] == "<":
                close = self.tokens.angle_end(at + 1)
                if not 0 < close < end:
                    raise NotUnderstood
                template, at = (min(begin, at), close), close + 1
            elif token == "[" and text[at + 1] == "[" and self.tokens.match[at] > at:
                at = self.tokens.match[at] + 1
            elif token == "extern" and text[at + 1][:1] == '"':
                at += 2
                if text[at] == "{":
                    return self._inside(at, end, scope)
            else:
                break
        return self._declared(begin, at, end, scope, template)

    def _inside(self, opening: int, end: int, scope: _Scope) -> int:
        """Read the declarations in braces."""
        close = self.tokens.match[opening]
        if not opening < close < end or scope.depth > _MAX_DEPTH:
            raise NotUnderstood
        inner = scope if scope.is_class else replace(scope, end=close)
        self._declarations(opening + 1, close, replace(inner, end=close, depth=scope.depth + 1))
        return close + 1

    def _declared(self, begin: int, at: int, end: int, scope: _Scope, template: tuple[int, int] | None) -> int:
        text = self.tokens.text
        token = text[at]
        if token == "inline" and text[at + 1] == "namespace":
            token, at = "namespace", at + 1
        if token == "namespace":
            at += 1
            while is_name(text[at]) or text[at] == "::":
                at += 1
            if text[at] != "{":
                raise NotUnderstood
            return self._inside(at, end, scope)
        if token in ("using", "typedef"):
            return self._alias_or_using(at, end, scope)
        if token == "static_assert":
            return self.tokens.statement_end(at, end)
        if token == "enum":
            return self._enumerators(at, end, scope)
        if token in ("struct", "class", "union") and (opening := self._class_body(at, end)) > 0:
            return self._class(at, opening, end, scope, template)
        return self._function_or_variable(begin, at, end, scope, template)

    def _alias_or_using(self, at: int, end: int, scope: _Scope) -> int:
        text = self.tokens.text
        stop = self.tokens.statement_end(at, end)
        simple = (text[at + 1] == "namespace" and stop <= at + 8) or (text[at] == "using" and text[at + 1 : at + 3] == ["std", "::"])
        if not simple:
            for name in self.tokens.names(at, stop):
                self._count(name, scope)
        return stop

    def _enumerators(self, at: int, end: int, scope: _Scope) -> int:
        """The constants of an enumeration, as variables of the scope around it."""
        tokens, text = self.tokens, self.tokens.text
        opening = next((index for index in range(at, min(at + 8, end)) if text[index] in ("{", ";")), -1)
        close = tokens.match[opening] if opening > 0 and text[opening] == "{" else -1
        if not opening < close < end or text[close + 1] != ";":
            raise NotUnderstood
        scoped = text[at + 1] in ("class", "struct")
        if ":" in text[at:opening]:
            raise NotUnderstood
        for variable in read_enumerators(tokens, opening + 1, close, self.types):
            variable.end, variable.is_local, variable.is_member = scope.end, False, scoped or scope.is_class
            self._add(variable, scope)
            self.in_classes[variable.name] += scoped and not scope.is_class
        return close + 2

    def _class_body(self, at: int, end: int) -> int:
        """The brace that opens the body of a class; -1 where none is defined here."""
        text, index = self.tokens.text, at + 1
        while index < min(end, at + 200):
            token = text[index]
            if token == "{":
                return index
            if token in (";", "=", "}") or (token == "(" and text[index - 1] not in ("alignas", "__align__", "__attribute__", "__declspec")):
                return -1
            index = self.tokens.match[index] if token == "(" and self.tokens.match[index] > index else index
            index += 1
        return -1

    def _class(self, at: int, opening: int, end: int, scope: _Scope, template: tuple[int, int] | None) -> int:
        """A class: its members are declared names; a template's parameters are barred."""
        text, close = self.tokens.text, self.tokens.match[opening]
        if not opening < close < end or scope.depth > _MAX_DEPTH:
            raise NotUnderstood
        if template is not None:
            self.bar(*template)
        bases = ":" in text[at:opening]
        if not bases:
            self.classes |= self.tokens.names(at, opening)
        for name in self.tokens.names(at, opening):
            self._count(name, scope)
        if text[at] == "union" or text[opening - 1] in ("struct", "class"):
            self.bar(at, close)
        self._declarations(opening + 1, close, _Scope(close, True, bases or scope.has_bases, scope.depth + 1))
        stop = self.tokens.statement_end(close + 1, end)
        self.bar(close + 1, stop)
        return stop

    def _add(self, variable: Variable, scope: _Scope) -> None:
        self._count(variable.name, scope)
        self.declares.add(variable.at)
        self.variables.setdefault(variable.name, []).append(variable)

    def _function_or_variable(self, begin: int, at: int, end: int, scope: _Scope, template: tuple[int, int] | None) -> int:
        stop, opening = self._extent(at, end)
        if opening > 0:
            return self._function(begin, at, opening, scope, template)
        try:
            if template is not None:
                raise NotUnderstood
            variables, last = read_declaration(self.tokens, at, stop, self.types)
            if last != stop - 1 or self.tokens.text[last] != ";":
                raise NotUnderstood
        except NotUnderstood:
            return self._prototype(at, stop, scope, template)
        for variable in variables:
            variable.end, variable.is_local = scope.end, False
            if scope.is_class:
                self.members.setdefault(variable.name, []).append(variable)
                variable.is_member = True
                if scope.has_bases:
                    variable.form, variable.init = "unknown", ()
            self._add(variable, scope)
        return stop

    def _extent(self, at: int, end: int) -> tuple[int, int]:
        """Past the `;` of a declaration and -1, or its end and the brace that opens a function's body."""
        text, match = self.tokens.text, self.tokens.match
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
                return self._past_initialiser(at, end), -1
            elif token == ":":
                in_inits = grouped
            grouped = grouped or token == "("
            at = match[at] if token in ("(", "[", "{") and match[at] > at else at
            at += 1
        raise NotUnderstood

    def _past_initialiser(self, at: int, end: int) -> int:
        stop = self.tokens.statement_end(at, end)
        if self.tokens.text[stop - 1] != ";":
            raise NotUnderstood
        return stop

    # Functions

    def _groups(self, at: int, end: int) -> list[int]:
        """The brackets in a function's head that may hold its parameters."""
        text, match, found = self.tokens.text, self.tokens.match, list[int]()
        while at < end:
            token = text[at]
            if token in (":", "->") or (token == "=" and text[at - 1] != "operator"):
                break
            if token == "(":
                if text[at - 1] not in _NOT_PARAMETERS:
                    found.append(at)
                at = match[at] if match[at] > at else end
            at += 1
        return found

    def _head(self, at: int, end: int, templates: frozenset[str]) -> tuple[Head, str, list[str], Type | None, tuple[int, int]]:
        """The head in [at, end): what is declared, its name, what qualifies the name, the type of its result, its brackets."""
        text = self.tokens.text
        groups = self._groups(at, end)
        if not groups:
            raise NotUnderstood
        opening = groups[-1]
        close = self.tokens.match[opening]
        inside = self.tokens.split(opening + 1, close)
        is_variadic = bool(inside) and text[inside[-1][0]] == "..."
        inside = inside[:-1] if is_variadic else [] if [text[index] for index in range(opening + 1, close)] == ["void"] else inside
        parameters = tuple(read_parameter(self.tokens, *part, self.types, templates) for part in inside)
        name_at = next((index for index in range(at, opening) if text[index] == "operator"), opening - 1)
        name, first, qualifiers = text[name_at], name_at, list[str]()
        while text[first - 1] == "::" and first - 2 >= at:
            angle = text[first - 2] == ">"
            first -= 2
            while angle and first > at and text[first] != "<":
                first -= 1
            first -= angle
            qualifiers.append(text[first])
        result = read_type(self.tokens, at, first, self.types) if first > at else None
        whole = read_declarator(self.tokens, result[1], result[0]) if result else None
        gives = whole[0] if whole is not None and whole[1] == first and text[close + 1] != "->" else None
        number = gives is not None and gives.is_number
        return Head(parameters, is_variadic, number), name, qualifiers, gives, (opening, close)

    def _note_head(self, name: str, head: Head, scope: _Scope) -> None:
        self.functions.setdefault(name, []).append(head)
        self._count(name, scope)
        reference_matters = name == "operator" or name in self.types.hidden
        if reference_matters and not all(parameter is not None and self._is_harmless(parameter) for parameter in head.parameters):
            self.trusts_operators = False

    def _is_harmless(self, parameter: Parameter) -> bool:
        """Whether a parameter of an operator or constructor cannot be bound to a number or a `dim3` that it then changes."""
        kind = parameter.variable.type if parameter.variable is not None else None
        return parameter.copies or (kind is not None and (not kind.reference or (kind.kind == "other" and (
            "const" in kind.words or kind.name in self.types.hidden or "::" in kind.name))))

    def _prototype(self, at: int, stop: int, scope: _Scope, template: tuple[int, int] | None) -> int:
        """A function without a body, or nothing that is understood."""
        text = self.tokens.text
        head, name, _, _, _ = self._head(at, stop - 1, self._type_parameters(template))
        if not is_name(name) and name != "operator":
            raise NotUnderstood
        outer = text[at:stop]
        if "=" in outer and text[stop - 2] not in ("default", "delete", "0") and name != "operator":
            raise NotUnderstood
        self._note_head(name, head, scope)
        return stop

    def _type_parameters(self, template: tuple[int, int] | None) -> frozenset[str]:
        text = self.tokens.text
        return frozenset(text[at + 1] for at in range(*template) if text[at] in ("typename", "class")) if template else frozenset()

    def _function(self, begin: int, at: int, opening: int, scope: _Scope, template: tuple[int, int] | None) -> int:
        text, close = self.tokens.text, self.tokens.match[opening]
        head, name, qualifiers, gives, brackets = self._head(at, opening, self._type_parameters(template))
        self._note_head(name, head, scope)
        region = Region(begin, opening, close + 1, head, gives)
        words = set(text[at : brackets[0]])
        region.is_device = "__host__" not in words and bool(words & _DEVICE)
        known = self.classes | self.namespaces
        region.is_foreign = scope.has_bases or not set(qualifiers) <= known or (gives is None and not scope.is_class)
        region.is_method = scope.is_class or not set(qualifiers) <= self.namespaces
        if template is not None:
            region.barred |= self.tokens.names(*template)
        for part, parameter in zip(self.tokens.split(brackets[0] + 1, brackets[1]), head.parameters, strict=False):
            if parameter is None:
                region.barred |= self.tokens.names(*part)
        self._read_inits(region, brackets[1] + 1, opening)
        self.regions.append(region)
        return close + 1

    def _read_inits(self, region: Region, at: int, opening: int) -> None:
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


def read_enumerators(tokens: Tokens, at: int, end: int, names: TypeNames) -> list[Variable]:
    """The enumerators in [at, end): constants of the type int."""
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
