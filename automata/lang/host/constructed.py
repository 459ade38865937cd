"""What is known of a class with functions: its fields, and what its constructors leave in them (`constructors`).

Input: a local variable of such a class. Output: for each field what it is initialised with, and which arguments are only copied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from automata.lang.host.declarations import Form, Variable
from automata.lang.host.syntax import Node

Given = tuple[Form, Node | None]
UNKNOWN: Given = "unknown", None


@dataclass(frozen=True, slots=True)
class Maker:
    """A constructor. `sets`: what it leaves in fields: one of its parameters, by its place, or a number. None: something else."""

    parameters: tuple[Variable | None, ...]
    sets: dict[str, int | str | None]


@dataclass(frozen=True, slots=True)
class Class:
    """A class with functions. `fields`: in their order; `makers`: its constructors by their numbers of parameters, None for what
    is not understood; `is_made`: it declares any."""

    fields: tuple[Variable, ...]
    makers: dict[int, Maker | None]
    is_made: bool

    def given(self, variable: Variable, is_number: Callable[[Node], bool]) -> list[Given] | None:
        """How each field of an object is initialised; None where nothing tells it."""
        inits = _arguments(variable)
        if not self.is_made:
            return [_default(each) for each in self.fields] if variable.form == "" else None
        maker = self.makers.get(len(inits)) if inits is not None else None
        if inits is None or maker is None or (len(inits) == 1 and not is_number(inits[0])):
            return None
        return [self._left(each, maker, inits) for each in self.fields]

    def _left(self, field: Variable, maker: Maker, inits: tuple[Node, ...]) -> Given:
        if field.name not in maker.sets:
            return _default(field)
        value = maker.sets[field.name]
        if isinstance(value, str):
            return "=", Node("number", inits[0].at if inits else field.at, value)
        parameter = maker.parameters[value] if value is not None else None
        if value is None or parameter is None or parameter.type.number != field.type.number:
            return UNKNOWN
        return "=", inits[value]


def copied(variable: Variable, found: Class, is_number: Callable[[Node], bool]) -> frozenset[int]:
    """Which of the arguments that make an object its constructor can only copy: numbers that it takes by value."""
    inits = _arguments(variable) or ()
    maker = found.makers.get(len(inits))
    if maker is None or variable.form == "=":
        return frozenset()
    return frozenset(at for at, each in enumerate(maker.parameters)
                     if each is not None and each.is_scalar and each.type.is_number and is_number(inits[at]))


def _arguments(variable: Variable) -> tuple[Node, ...] | None:
    """What an object is made of; None where it is anything else but a list of arguments."""
    if variable.form in ("", "(", "{"):
        return None if any(node.kind == "braces" for node in variable.init) else variable.init
    node = variable.init[0] if variable.form == "=" and len(variable.init) == 1 else None
    if node is None or node.kind != "call" or node.parts[0].kind != "name" or node.parts[0].text != variable.type.name:
        return None
    return node.parts[1:]


def _default(field: Variable) -> Given:
    """What is in a field that a constructor says nothing of."""
    if field.form == "":
        return UNKNOWN
    is_plain = field.form == "=" and len(field.init) == 1 and field.init[0].kind == "number"
    return ("=", field.init[0]) if is_plain else UNKNOWN
