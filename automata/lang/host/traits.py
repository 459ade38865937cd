"""Constants of classes: `Traits::N`, `Traits<32, float>::threads`.

In: a path that ends in a member of a class of the file. Out: its value, where the member is declared `static constexpr`, or
`static const`, with a number that is computed of parameters of the class's template, of such members of the class, and of what is
the same everywhere in the file.

A class that is looked at is one that the text defines, without bases, and no template of it is specialised: its name is declared
once. In its body a name means a member first, then a parameter of its template, then what stands around the class
([basic.lookup.unqual], [temp.local]). A parameter is what the path says, read where the path stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from automata.lang.host.declarations import Variable
from automata.lang.host.numbers import Number, Unknown
from automata.lang.host.paths import constant_named
from automata.lang.host.steady import ELSEWHERE
from automata.lang.host.symbolic import Value, as_kind
from automata.lang.host.syntax import Node
from automata.lang.host.templates import Templates
from automata.lang.host.types import Type, type_of_range

Range = tuple[int, int]
T = TypeVar("T")
_MOST_INSIDE = 30
_OF_TYPE = frozenset({"typename", "class"})


@dataclass(eq=False, slots=True)
class Instance:
    """A class as a path names it: its body's tokens, its template's parameters, and what is said for each; `outer`: the instance
    in which the path is read."""

    opening: int
    end: int
    parameters: tuple[Range, ...]
    given: tuple[Range, ...]
    outer: Instance | None


class Traits(Templates):
    """Reads constants of classes. `instance`: the one whose member is looked at."""

    instance: Instance | None = None
    _inside: int = 0

    def named(self, node: Node) -> Value:
        instance = self.instance
        if instance is None or not self.in_class(node.at):
            return super().named(node)
        if self._members(instance, node.text):
            return self._member_of(instance, node.text)
        index = self._parameter(instance, node.text)
        return self._number_given(instance, index) if index >= 0 else super().named(node)

    def qualified(self, node: Node) -> Value:
        if constant_named(self.program, node) is not None:
            return super().qualified(node)
        return self._member_of(self._instance(node.at), self.program.tokens.text[node.at])

    def actual(self, kind: Type, at: int) -> Type:
        if self.instance is None or not self.in_class(at):
            return super().actual(kind, at)
        meant = self._alias(self.instance, kind.name) or kind.name
        index = self._parameter(self.instance, meant)
        if index < 0:
            return kind
        if kind.pointers or kind.reference or self.program.tokens.text[self.instance.parameters[index][0]] not in _OF_TYPE:
            raise Unknown
        begin, end = self._said_for(self.instance, index)
        return self._within(self.instance.outer, lambda: self._type_said(begin, end))

    def in_class(self, at: int) -> bool:
        """Whether a token stands in the class whose member is looked at."""
        return self.instance is not None and self.instance.opening < at < self.instance.end

    # The class

    def _instance(self, at: int) -> Instance:
        """The class that stands before `::` and a member's name."""
        text, end = self.program.tokens.text, at - 1
        if text[end] != "::":
            raise Unknown
        given, begin = tuple[Range, ...](), end - 1
        if text[begin] in (">", ">>"):
            opening = self.program.tokens.angle_begin(begin)
            if opening < 0:
                raise Unknown
            given, begin = tuple(self.program.tokens.split(opening + 1, begin)), opening - 1
        name, program = text[begin], self.program
        region = program.region_at(begin)
        is_hidden = region is not None and (region.is_foreign or region.is_clouded or name in region.barred)
        if text[begin - 1] in ("::", ".", "->") or is_hidden or program.has_unseen or name in program.barred:
            raise Unknown
        opening, parameters = program.class_templates.get(name, (program.class_bodies.get(name, -1), ()))
        is_one = program.declared[name] == 1 and not program.in_classes[name]
        if not 0 < opening < at or not is_one or len(given) > len(parameters) or bool(parameters) != bool(given):
            raise Unknown
        return Instance(opening, program.tokens.match[opening], parameters, given, self.instance)

    def _members(self, instance: Instance, name: str) -> list[Variable]:
        return [each for each in self.program.members.get(name, []) if each.start == instance.opening]

    def _alias(self, instance: Instance, name: str) -> str | None:
        """What `using name = other;` in a class gives a name to."""
        text = self.program.tokens.text
        found = [at for at in range(instance.opening + 1, instance.end) if text[at : at + 3] == ["using", name, "="]]
        return text[found[0] + 3] if len(found) == 1 and text[found[0] + 4] == ";" else None

    def _parameter(self, instance: Instance, name: str) -> int:
        text = self.program.tokens.text
        for index, (begin, end) in enumerate(instance.parameters):
            stop = next((at for at in range(begin, end) if text[at] == "="), end)
            if text[stop - 1] == name and stop - 1 > begin and "..." not in text[begin:stop]:
                return index
        return -1

    # Values

    def _member_of(self, instance: Instance, name: str) -> Number:
        """What a constant of a class is worth."""
        found = self._members(instance, name) if name not in self.program.doubted else []
        words = found[0].type.words if len(found) == 1 else frozenset[str]()
        is_constant = "static" in words and words & {"const", "constexpr"} and not words & ELSEWHERE
        variable = found[0] if is_constant and not found[0].is_array else None
        if variable is None or variable.type.number is None or not variable.type.is_number or len(variable.init) != 1 or (
                variable.form not in ("=", "{")) or self._inside > _MOST_INSIDE:
            raise Unknown
        kind, init = variable.type.number, variable.init[0]
        self._inside += 1
        try:
            value = self._within(instance, lambda: self.value(init))
        finally:
            self._inside -= 1
        value = as_kind(value, kind) if isinstance(value, Number) else value
        if not isinstance(value, Number):
            raise Unknown
        return value

    def _said_for(self, instance: Instance, index: int) -> Range:
        if index >= len(instance.given):
            raise Unknown
        return instance.given[index]

    def _number_given(self, instance: Instance, index: int) -> Number:
        """The number that is said for a parameter, in its type."""
        text = self.program.tokens.text
        begin, end = instance.parameters[index]
        stop = next((at for at in range(begin, end) if text[at] == "="), end)
        kind = type_of_range(self.program.tokens, begin, stop - 1, self.program.types)
        node = self.read(*self._said_for(instance, index))
        if node is None or kind is None or kind.number is None or not kind.is_number:
            raise Unknown
        value = self._within(instance.outer, lambda: self.value(node))
        if not isinstance(value, Number):
            raise Unknown
        found = as_kind(value, kind.number)
        if not isinstance(found, Number):
            raise Unknown
        return found

    def _type_said(self, begin: int, end: int) -> Type:
        """The type that some tokens name, where they stand."""
        text = self.program.tokens.text
        if self.in_class(begin):
            said = type_of_range(self.program.tokens, begin, end, self.program.types)
            if said is None:
                raise Unknown
            return self.actual(said, begin)
        if end == begin + 1 and self.template_index(text[begin], begin) >= 0:
            found = self.template_type(text[begin], begin)
        else:
            found = type_of_range(self.program.tokens, begin, end, self.program.types)
        if found is None or found.pointers or found.reference:
            raise Unknown
        return found

    def _within(self, instance: Instance | None, do: Callable[[], T]) -> T:
        with self._looking_at(instance):
            return do()

    @contextmanager
    def _looking_at(self, instance: Instance | None) -> Iterator[None]:
        before, self.instance = self.instance, instance
        try:
            yield
        finally:
            self.instance = before
