"""What a file declares outside of function bodies: functions, variables, types, and where the bodies are.

A variable of the file is known only if its name is declared once outside of all bodies, as a constant or `static`; what cannot be
read there bars every name in it for the whole file.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from automata.lang.foreign import is_known_header
from automata.lang.host.aliases import DeclaredTypes, keeps_references
from automata.lang.host.constructed import Class
from automata.lang.host.declarations import Parameter, Variable, may_be_function, read_declaration, read_enumerators
from automata.lang.host.doubted import Doubts
from automata.lang.host.extents import Scope, class_body, classes, extent, followed, other_names, seen_in
from automata.lang.host.flow import Flow
from automata.lang.host.functions import CHANGING, SPECIAL, Head, Heads, Region, Stated, type_words
from automata.lang.host.instantiations import Instantiation, instantiation
from automata.lang.host.syntax import Node, NotUnderstood
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.types import is_vector

_MAX_DEPTH = 40
Range = tuple[int, int]
_BEFORE_TRY = frozenset({"{", "}", ";", ":", "else", "do"})
"""Elsewhere `try` begins the body of a function, whose handlers are in the scope of its parameters."""
_KEEPERS = frozenset({"reference_wrapper", "ref", "cref", "tie", "forward_as_tuple"})  # they keep references
_DEVICE = frozenset({"__global__", "__device__", "__kernel"})


class Call(NamedTuple):
    """A call of a function of the file: the token of the name, all of it, and the function in which it stands."""

    at: int
    node: Node
    caller: Region | None


class Program:
    """A file's declarations.

    `declared`: how often each name is, outside of bodies; `in_classes`: in classes. `barred`: names of which nothing is known,
    those among them that conditions decide about, which are `doubted`. `kernels`: where each is declared. `means`: the variable
    that each token names. `declares`: the tokens that declare one. `bodies`: the functions of each name that have one; `named`:
    the tokens by which functions are declared; `calls`: where those of a name are called; `ranged`: the tokens that are the range
    of a `for`. `defined`: the classes of each name that have a body; `followed`: those all of whose members are seen; `below`:
    the bases of a class, by the brace of its body. `records`: the fields of each plain structure; `constructed`: classes with
    functions. `taken`: classes of which operators or constructors take references. `class_bodies`: the brace that opens that of
    each class without bases; `class_templates`: likewise of templates of such classes, with their parameters. `instantiated`:
    the explicit instantiations of functions; `members_made`: template arguments of methods, by class and name, and of classes.
    `stretches`: where each namespace is open. `specialised`: the template arguments for which host functions have bodies of
    their own; a call of such a name may mean either, so it is barred, `chosen` where it is for that alone.
    """

    def __init__(self, tokens: Tokens, missing: tuple[str, ...], doubts: Doubts) -> None:
        self.tokens = tokens
        self.doubted = doubted = doubts.names
        named = DeclaredTypes(tokens, doubted)
        self.types, self.tags, self.namespaces = named.types, named.tags, named.namespaces
        self.generic, self.derived = named.generic, named.derived
        self.heads = Heads(tokens, self.types)
        self.functions, self.bodies = dict[str, list[Head]](), dict[str, list[Region]]()
        self.calls, self.positions = dict[str, list[Call]](), dict[str, list[int]]()
        self.named, self.ranged, self.jumped, self.declares = set[int](), set[int](), set[int](), set[int]()
        self.variables, self.members = dict[str, list[Variable]](), dict[str, list[Variable]]()
        self.kernels: dict[str, list[tuple[object, str]]] = {}
        self.declared, self.in_classes = Counter[str](), Counter[str]()
        self.barred, self.classes = set[str](), set[str]()
        self.class_bodies, self.class_templates = dict[str, int](), dict[str, tuple[int, tuple[Range, ...]]]()
        self.instantiated, self.specialised = dict[str, list[Instantiation]](), dict[str, list[tuple[Range, ...]]]()
        self.members_made: dict[tuple[str, str], list[tuple[Range, ...]]] = {}
        self.regions, self.means, self.flow = list[Region](), dict[int, Variable](), Flow()
        self.records, self.constructed = dict[str, tuple[Variable, ...]](), dict[str, Class]()
        self.stretches: dict[tuple[str, ...], list[Range]] = {}
        self.opened, self.has_unseen = 0, not all(map(is_known_header, missing))
        self.defined = classes(tokens)
        self.below = {opening: below for each in self.defined.values() for opening, below in each}
        self.followed = set() if self.has_unseen else followed(self.defined, {*doubted, *other_names(tokens)})
        keeps = keeps_references(tokens) or "operator" in doubted or _KEEPERS & {*tokens.text, *doubted}
        self.trusts_operators, self.taken = not (self.has_unseen or keeps), set[str]()
        self._declarations(0, tokens.size, Scope(0, tokens.size))
        self.regions.sort(key=lambda region: region.begin)
        self._begins = [region.begin for region in self.regions]
        self.barred |= doubted
        self.chosen = self.specialised.keys() - self.barred
        self.barred |= self.specialised.keys()
        self.trusts_operators &= tokens.text.count("operator") == len(self.functions.get("operator", []))
        self._clouds(doubts)

    def _clouds(self, doubts: Doubts) -> None:
        """What words that stand together anywhere say of the whole text: what streams and names may mean, and which functions are
        not followed. `doubts`: of names, and of what lies between two tokens."""
        tokens, doubted = self.tokens, doubts.names
        pairs = set(zip(tokens.text, tokens.text[1:], strict=False))
        self.streams_copy = not self.has_unseen and "operator" not in doubted and ("operator", "<<") not in pairs
        self.imports = not {("using", "namespace"), ("using", "std"), ("using", "thrust")}.isdisjoint(pairs)
        tries = any(second == "try" and first not in _BEFORE_TRY for first, second in pairs)
        for region in self.regions:
            region.barred |= doubts.within(region.begin, region.end)
            region.is_clouded = ("using", "enum") in pairs or tries

    def region_at(self, at: int) -> Region | None:
        """The function in which a token stands."""
        index = bisect.bisect_right(self._begins, at) - 1
        return self.regions[index] if index >= 0 and at < self.regions[index].end else None

    def is_device(self, at: int) -> bool:
        """Whether a token stands in device code."""
        region = self.region_at(at)
        return region is not None and region.is_device

    def outside(self, name: str, at: int, region: Region | None) -> Variable | None:
        """The variable outside of all bodies that a name means at a token."""
        if (own := self._own(name, region)) is not None:
            return own if name not in self.barred else None
        found, hidden = self.variables.get(name, []), 0
        if region is not None and not region.is_method:
            found, hidden = [variable for variable in found if not variable.is_member], self.in_classes[name]
        is_foreign = region is not None and region.is_foreign
        if len(found) != 1 or self.declared[name] != hidden + 1 or name in self.barred or is_foreign:
            return None
        spaces, whole = seen_in(found[0].spaces), [(0, self.tokens.size)]
        stretches = [] if found[0].is_member else self.stretches.get(spaces, []) if spaces else whole
        is_here = at < found[0].end or any(begin < at < end for begin, end in stretches)
        return found[0] if found[0].start < at and is_here else None

    def _own(self, name: str, region: Region | None) -> Variable | None:
        """The field that a name means in a method: one of its class hides all that is declared elsewhere, in bases, too; one of
        a base is meant where all bases are seen."""
        bodies = [region.body] if region is not None and region.body >= 0 else []
        while bodies:
            found = [each for each in self.members.get(name, []) if each.start in bodies]
            if found:
                return found[0] if len(found) == 1 else None
            below = [base for body in bodies for base in self.below.get(body, ("...",))]
            bodies = [self.defined[base][0][0] for base in below] if self.followed.issuperset(below) else []
        return None

    def _count(self, name: str, scope: Scope) -> None:
        self.declared[name] += 1
        self.in_classes[name] += scope.is_class

    def may_be_declared(self, name: str, region: Region | None) -> bool:
        """Whether what is not understood may declare a name."""
        return name in self.barred or (region is not None and name in region.barred)

    # Declarations

    def bar(self, begin: int, end: int) -> None:
        self.barred |= self.tokens.names(begin, end)

    def _declarations(self, at: int, end: int, scope: Scope) -> None:
        while at < end:
            try:
                stop = self._declaration(at, end, scope)
            except NotUnderstood:
                stop = self.tokens.statement_end(at, end)
                self.bar(at, stop)
            at = max(stop, at + 1)

    def _declaration(self, at: int, end: int, scope: Scope) -> int:
        """Read what is declared at an index; the index behind it."""
        text, begin = self.tokens.text, at
        template: tuple[int, int] | None = None
        while True:
            token = text[at]
            if token in (";", "}", "friend"):
                return at + 1
            if token == "template" and text[at + 1] != "<":
                stop = self.tokens.statement_end(at, end)
                self._instantiate(at, stop)
                return stop
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
                scope = replace(scope, is_exported=True)
                if text[at] == "{":
                    return self._inside(at, end, scope)
            else:
                break
        return self._declared(begin, at, end, scope, template)

    def _instantiate(self, at: int, stop: int) -> None:
        """An explicit instantiation."""
        found = instantiation(self.tokens, at, stop)
        if found is not None and not found.of:
            self.named.add(found.name)
            self.instantiated.setdefault(self.tokens.text[found.name], []).append(found)
        elif found is not None:
            method = "" if found.is_class else self.tokens.text[found.name]
            self.members_made.setdefault((found.of, method), []).append(found.given)

    def _inside(self, opening: int, end: int, scope: Scope) -> int:
        """Read the declarations in braces."""
        close = self.tokens.match[opening]
        if not opening < close < end or scope.depth > _MAX_DEPTH:
            raise NotUnderstood
        inner = scope if scope.is_class else replace(scope, end=close)
        self._declarations(opening + 1, close, replace(inner, end=close, depth=scope.depth + 1))
        return close + 1

    def _declared(self, begin: int, at: int, end: int, scope: Scope, template: tuple[int, int] | None) -> int:
        text = self.tokens.text
        token = text[at]
        if token == "inline" and text[at + 1] == "namespace":
            token, at = "namespace", at + 1
        if token == "namespace":
            begin = at = at + 1
            is_hidden = scope.is_hidden or text[at] == "{"
            while is_name(text[at]) or text[at] == "::":
                at += 1
            if text[at] != "{":
                raise NotUnderstood
            spaces = (*scope.spaces, *((word for word in text[begin:at] if is_name(word)) if at > begin else ("",)))
            self.stretches.setdefault(spaces, []).append((at, self.tokens.match[at]))
            return self._inside(at, end, replace(scope, is_hidden=is_hidden, spaces=spaces))
        if token in ("using", "typedef"):
            return self._alias_or_using(at, end, scope)
        if token == "static_assert":
            return self.tokens.statement_end(at, end)
        if token == "enum":
            return self._enumerators(at, end, scope)
        if token in ("struct", "class", "union") and (opening := class_body(self.tokens, at, end)) > 0:
            return self._class(at, opening, end, scope, template)
        return self._function_or_variable(begin, at, end, scope, template)

    def _alias_or_using(self, at: int, end: int, scope: Scope) -> int:
        text = self.tokens.text
        stop = self.tokens.statement_end(at, end)
        of_std = text[at] == "using" and text[at + 1 : at + 3] == ["std", "::"]
        if not of_std and (text[at + 1] != "namespace" or stop > at + 8):
            for name in self.tokens.names(at, stop):
                self._count(name, scope)
        return stop

    def _enumerators(self, at: int, end: int, scope: Scope) -> int:
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
            variable.start, variable.end, variable.is_local, variable.spaces = variable.at, scope.end, False, scope.spaces
            variable.is_member = scoped or scope.is_class
            self._add(variable, scope)
            self.in_classes[variable.name] += scoped and not scope.is_class
        return close + 2

    def _class(self, at: int, opening: int, end: int, scope: Scope, template: tuple[int, int] | None) -> int:
        """A class: its members are declared names; a template's parameters are barred."""
        text, close = self.tokens.text, self.tokens.match[opening]
        if not opening < close < end or scope.depth > _MAX_DEPTH:
            raise NotUnderstood
        if template is not None:
            self.bar(*template)
        is_derived = ":" in text[at:opening]
        has_bases = is_derived and text[at + 1] not in self.followed
        if not is_derived:
            self.classes |= self.tokens.names(at, opening)
            if template is None and text[at] in ("struct", "class"):
                self.class_bodies[text[opening - 1]] = opening
            elif template is not None and text[at] in ("struct", "class") and opening == at + 2:
                self.class_templates[text[opening - 1]] = opening, self._template_parameters(*template)
        elif not has_bases:
            self.classes.add(text[at + 1])
        for name in self.tokens.names(at, opening):
            self._count(name, scope)
        if text[at] == "union" or text[opening - 1] in ("struct", "class"):
            self.bar(at, close)
        self._declarations(opening + 1, close, Scope(opening, close, True, has_bases or scope.has_bases,
                                                           scope.depth + 1))
        stop = self.tokens.statement_end(close + 1, end)
        self.bar(close + 1, stop)
        return stop

    def _add(self, variable: Variable, scope: Scope) -> None:
        self._count(variable.name, scope)
        self.declares.add(variable.at)
        self.variables.setdefault(variable.name, []).append(variable)

    def _function_or_variable(self, begin: int, at: int, end: int, scope: Scope, template: tuple[int, int] | None) -> int:
        stop, opening = extent(self.tokens, at, end)
        if opening > 0:
            return self._function(begin, at, opening, scope, template)
        try:
            if template is not None:
                raise NotUnderstood
            variables, last = read_declaration(self.tokens, at, stop, self.types)
            if last != stop - 1 or self.tokens.text[last] != ";" or may_be_function(self.tokens, variables, self.types):
                raise NotUnderstood
        except NotUnderstood:
            return self._prototype(at, stop, scope, template)
        for variable in variables:
            variable.start, variable.end, variable.is_local, variable.spaces = variable.at, scope.end, False, scope.spaces
            if scope.is_class:
                self.members.setdefault(variable.name, []).append(variable)
                variable.is_member, variable.start = True, scope.begin
                if scope.has_bases:
                    variable.form, variable.init = "unknown", ()
            self._add(variable, scope)
        return stop

    def _note_head(self, stated: Stated, scope: Scope) -> None:
        name, head = stated.name, stated.head
        self.named.add(stated.at)
        self.functions.setdefault(name, []).append(head)
        self._count(name, scope)
        if name == "operator" or name in self.types.hidden:
            self.trusts_operators &= all(parameter is not None and self._is_harmless(parameter) for parameter in head.parameters)
            self.taken |= head.taken(name != "operator", self.tokens.text[stated.at + 1] in CHANGING)

    def _note_kernel(self, name: str, at: int, brackets: tuple[int, int], scope: Scope) -> None:
        """A kernel: the scope in which it is declared, and the types of its parameters as they are written."""
        text = self.tokens.text
        if "__global__" in text[at : brackets[0]]:
            for begin, end in self.tokens.split(brackets[0] + 1, brackets[1]):
                if "=" in text[begin:end]:
                    self.bar(begin, end)
            words = [type_words(text[begin:end]) for begin, end in self.tokens.split(brackets[0] + 1, brackets[1])]
            self.kernels.setdefault(name, []).append((scope.key, " , ".join(map(" ".join, words))))

    def _note_special(self, stated: Stated, is_device: bool) -> None:
        """A specialisation of a host function's template."""
        if stated.name.endswith(SPECIAL) and not is_device:
            arguments = self.tokens.split(stated.at + 2, stated.brackets[0] - 1)
            self.specialised.setdefault(self.tokens.text[stated.at], []).append(tuple(arguments))

    def is_one_kernel(self, name: str, region: Region | None = None, count: int = -1) -> bool:
        """Whether a name means kernels of one scope with the same parameters, and nothing else. In a function of no class, or of
        one whose methods have other names, other functions may have it, which cannot be launched, and kernels that do not take
        as many arguments."""
        found = self.kernels.get(name, [])
        if not found or region is None or (region.is_method and self.in_classes[name]) or region.is_foreign:
            return self.declared[name] == len(found) and len(set(found)) <= 1
        fitting = {each for each in found if each[1].count(",") + bool(each[1]) == count or "=" in each[1] or "..." in each[1]}
        return self.declared[name] == len(self.functions[name]) and (len(set(found)) == 1 or len(fitting) == 1)

    def _is_harmless(self, parameter: Parameter) -> bool:
        """Whether a parameter of an operator or constructor cannot be bound to a number or a `dim3` that it then changes."""
        kind = parameter.variable.type if parameter.variable is not None else None
        if parameter.copies or kind is None:
            return parameter.copies
        return kind.kind == "other" and (kind.name in self.tags - self.generic or is_vector(kind.name))

    def _prototype(self, at: int, stop: int, scope: Scope, template: tuple[int, int] | None) -> int:
        """A function without a body, or nothing that is understood."""
        text = self.tokens.text
        stated = self.heads.stated(at, stop - 1, template)
        if not is_name(stated.name) and stated.name != "operator":
            raise NotUnderstood
        if len(self.tokens.split(at, stop)) > 1:
            raise NotUnderstood
        opening, close = stated.brackets
        is_set = "=" in (*text[at:opening], *text[close:stop])
        if is_set and text[stop - 2] not in ("default", "delete", "0") and stated.name != "operator":
            raise NotUnderstood
        for begin, end in self.tokens.split(opening + 1, close):
            if "=" in text[begin:end]:
                self.bar(begin + text[begin:end].index("="), end)
        self._note_head(stated, scope)
        self._note_kernel(stated.name, at, stated.brackets, scope)
        self._note_special(stated, _is_device(text[at:opening]))
        return stop

    def _template_parameters(self, begin: int, end: int) -> tuple[tuple[int, int], ...]:
        """What stands between the commas of a template's head; nothing if it has more than one."""
        opening = next((at for at in range(begin, end) if self.tokens.text[at] == "<"), end)
        is_one = self.tokens.text[begin:end].count("template") == 1
        return tuple(self.tokens.split(opening + 1, end)) if is_one else ()

    def _function(self, begin: int, at: int, opening: int, scope: Scope, template: tuple[int, int] | None) -> int:
        text, close = self.tokens.text, self.tokens.match[opening]
        stated = self.heads.stated(at, opening, template)
        self._note_head(stated, scope)
        self._note_kernel(stated.name, at, stated.brackets, scope)
        region = Region(begin, opening, close + 1, stated.head, stated.gives, name=stated.name)
        self.bodies.setdefault(stated.name, []).append(region)
        words, qualifiers = set(text[at : stated.brackets[0]]), set(stated.qualifiers)
        region.is_device = _is_device(words)
        self._note_special(stated, region.is_device)
        is_seen = qualifiers <= (self.classes | self.namespaces) - (self.derived - self.followed)
        region.is_foreign = scope.has_bases or not is_seen or (stated.gives is None and not scope.is_class)
        region.is_method = scope.is_class or not qualifiers <= self.namespaces
        region.is_exported = scope.is_exported
        region.of = stated.qualifiers[0] if stated.qualifiers and region.is_method and not scope.is_class else ""
        defined = self.defined.get(region.of, [])
        region.body = scope.begin if scope.is_class else defined[0][0] if len(defined) == 1 else -1
        region.is_own = not scope.is_class and (scope.is_hidden or "static" in words)
        if template is not None:
            region.barred |= self.tokens.names(*template)
            region.templates = self._template_parameters(*template)
        parts = self.tokens.split(stated.brackets[0] + 1, stated.brackets[1])
        for part, parameter in zip(parts, stated.head.parameters, strict=False):
            if parameter is None:
                region.barred |= self.tokens.names(*part)
        self.heads.read_inits(region, stated.brackets[1] + 1, opening)
        self.regions.append(region)
        return close + 1


def _is_device(words: Collection[str]) -> bool:
    """Whether a function with these words in its head runs on the device alone."""
    return "__host__" not in words and not _DEVICE.isdisjoint(words)
