"""What the parameters of a host function's template stand for, in the call that is looked at."""

from __future__ import annotations

from dataclasses import replace

from automata.lang.host.frames import Frame
from automata.lang.host.members import Members
from automata.lang.host.numbers import Number, Unknown, converted, kind_named
from automata.lang.host.symbolic import Symbolic, Value
from automata.lang.host.syntax import Node
from automata.lang.host.tensors import element_given
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type, type_of_range

_DEEPEST = 4


class Templates(Members):
    """Reads parameters of templates: what the call states, and types that its arguments give."""

    def actual(self, kind: Type, at: int) -> Type:
        """A type with the template argument that it names."""
        if kind.kind != "other" or self.template_index(kind.name, at) < 0:
            return kind
        found = self.template_type(kind.name, at)
        if found is None or found.pointers or found.reference or kind.pointers or kind.reference:
            raise Unknown
        return found

    def template_type(self, name: str, at: int) -> Type | None:
        """The type that a parameter of a template stands for."""
        frame, index = self.home(at), self.template_index(name, at)
        if frame is None or frame.region is None or index < 0 or not (frame.call is not None or frame.stated):
            return None
        ranges = frame.template_arguments
        if index < len(ranges):
            words = self.program.tokens.text[ranges[index][0] : ranges[index][1]]
            if len(words) == 1 and is_name(words[0]) and self.template_index(words[0], ranges[index][0]) >= 0:
                return self.from_caller(frame, lambda: self.template_type(words[0], ranges[index][0]))
            found = type_of_range(self.program.tokens, *ranges[index], self.program.types)
            return found if found is not None and found.kind in ("number", "other") else None
        return self.from_caller(frame, lambda: self._deduced(frame, name))

    def _deduced(self, frame: Frame, name: str) -> Type | None:
        """The type that an argument gives to a parameter of a template: that of a variable with as many stars."""
        found: set[Type] = set()
        for index, parameter in enumerate(frame.region.head.parameters if frame.region is not None else ()):
            kind, node = parameter.type if parameter is not None else None, frame.argument(index)
            if kind is None or kind.name != name:
                continue
            if not kind.pointers and not kind.reference and node is not None:
                value = self.value(node)
                number = value.kind if isinstance(value, Symbolic) else value if isinstance(value, Number) else None
                if number is None:
                    return None
                found.add(Type("number", number._replace(value=0), kind_named(number)))
                continue
            given = self.pointer_given(node)
            if given is not None:
                if (given.kind, given.reference) != ("number", False) or not _has_stars(given, kind):
                    return None
                found.add(Type("number", given.number, given.name))
                continue
            variable = self.program.means.get(node.at) if node is not None and node.kind == "name" else None
            if variable is None or not self.steady.is_readable(variable.name, variable.at):
                return None
            stars = variable.type.pointers + variable.is_array
            is_plain = not variable.type.reference and not (variable.type.words - kind.words) & {"const", "volatile"}
            if variable.type.kind != "number" or stars != kind.pointers or not is_plain:
                return None
            found.add(Type("number", variable.type.number, variable.type.name))
        return found.pop() if len(found) == 1 else None

    def written(self, node: Node | None) -> Node | None:
        """An expression of the same type: of a variable that is declared `auto`, what it is made of."""
        for _ in range(_DEEPEST):
            names = node is not None and node.kind == "name" and node.ranges is None
            variable = self.program.means.get(node.at) if node is not None and names else None
            if variable is None or variable.type.kind != "auto" or variable.type.pointers or variable.type.reference:
                break
            is_one = variable.form == "=" and len(variable.init) == 1 and not variable.is_array
            if not is_one or not self.steady.is_readable(variable.name, variable.at):
                break
            node = variable.init[0]
        return node

    def pointer_given(self, node: Node | None) -> Type | None:
        """The type of a pointer that a tensor gives, the parameters of templates in it told; None for all else."""
        given = element_given(self.program, self.written(node))
        if given is None:
            return None
        (begin, end), is_const = given
        found = type_of_range(self.program.tokens, begin, end, self.program.types)
        if found is None or found.pointers or found.reference:
            return None
        bound = self.template_type(found.name, begin) if self.template_index(found.name, begin) >= 0 else found
        if bound is None or bound.pointers or bound.reference:
            return None
        qualified = (found.words | bound.words) & {"const", "volatile"} | ({"const"} if is_const else set())
        return replace(bound, words=frozenset(qualified), pointers=1)

    def template_number(self, name: str, at: int) -> Value:
        """The number that a parameter of a template stands for."""
        frame, index = self.home(at), self.template_index(name, at)
        ranges = frame.template_arguments if frame is not None else ()
        if frame is None or not 0 <= index < len(ranges) or frame.region is None:
            raise Unknown
        node = self.read(*ranges[index])
        begin, end = frame.region.templates[index]
        name_at = next((place for place in range(begin, end) if self.program.tokens.text[place] == name), begin)
        kind = type_of_range(self.program.tokens, begin, name_at, self.program.types)
        if node is None or kind is None or kind.number is None or not kind.is_number:
            raise Unknown
        found = self.from_caller(frame, lambda: self.value(node))
        if not isinstance(found, Number):
            raise Unknown
        return converted(found, kind.number)


def _has_stars(found: Type, kind: Type) -> bool:
    """Whether a pointer has as many stars as a parameter, and nothing that its T would have to carry."""
    return found.pointers == kind.pointers and not (found.words - kind.words) & {"const", "volatile"}
