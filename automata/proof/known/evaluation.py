"""The numbers of launch terms at concrete sizes and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from automata import arithmetic
from automata.arithmetic import Undefined, Value
from automata.logic import terms as T
from automata.logic.terms import Symbol, Term

Operation = Callable[..., int | None]
"""What makes a number of others, of which some may not be known."""

MOST_KEPT_OF = 2
"""Of terms over how many symbols at most the values are kept."""


def value_of(term: Term, sizes: Mapping[str, int]) -> int | None:
    """The concrete value of an integer term over launch symbols; None when something is not known."""
    return Evaluation(term).at(sizes)


class Evaluation:
    """An integer term over launch symbols, its parts in the order in which they are computed. Of one or two symbols, what came of
    their values is kept: launches that are looked at in turn have all combinations of a few values."""

    def __init__(self, term: Term) -> None:
        nodes = T.subterms(term)
        place = {node.serial: at for at, node in enumerate(nodes)}
        self.symbols = [(at, node.data.name) for at, node in enumerate(nodes) if isinstance(node.data, Symbol)]
        self.names = {name for _, name in self.symbols}
        self.values = [None if node.args else operation_of(node)() for node in nodes]
        self.steps = [(at, operation_of(node), [place[arg.serial] for arg in node.args])
                      for at, node in enumerate(nodes) if node.args]
        self.kept_of = sorted(self.names) if len(self.names) <= MOST_KEPT_OF else None
        self.kept: dict[tuple[int | None, ...], int | None] = {}

    def at(self, sizes: Mapping[str, int]) -> int | None:
        """Its value at these sizes; None when something is not known."""
        if self.kept_of is None:
            return self._computed(sizes)
        known = tuple([sizes.get(name) for name in self.kept_of])
        if known not in self.kept:
            self.kept[known] = self._computed(sizes)
        return self.kept[known]

    def _computed(self, sizes: Mapping[str, int]) -> int | None:
        values = list(self.values)
        for at, name in self.symbols:
            values[at] = sizes.get(name)
        for at, operation, args in self.steps:
            values[at] = operation(*[values[arg] for arg in args])
        return values[-1]


def operation_of(node: Term) -> Operation:
    """What makes the number of a term's node of those of its arguments; none where one of them is needed and has none."""
    kind = node.args[0].type if node.args else node.type
    match node.op:
        case "const":
            value = T.constant_value(node)
            return lambda: None if value is None or node.type.is_float else int(value)
        case "sym" | "read" | "call" | "undef":
            return lambda *args: None
        case "ite":
            return lambda test, then, other: then if test else other
        case "cast":
            return _known(lambda arg: arithmetic.cast(arg, kind, node.type))
    if len(node.args) == 1:
        return _known(lambda arg: arithmetic.unary("-" if node.op == "neg" else node.op, arg, kind))
    return _known(lambda left, right: arithmetic.binary(node.op, left, right, kind))


def _known(operation: Callable[..., Value]) -> Operation:
    """The same where all arguments are known and the result has a value."""
    def of(*args: int | None) -> int | None:
        if None in args:
            return None
        try:
            return int(operation(*args))
        except Undefined:
            return None
    return of
