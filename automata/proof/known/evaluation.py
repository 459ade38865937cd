"""The numbers of launch terms at concrete sizes and parameters."""

from __future__ import annotations

from collections.abc import Mapping

from automata import arithmetic
from automata.arithmetic import Undefined
from automata.logic import terms as T
from automata.logic.terms import Symbol, Term

MOST_KEPT_OF = 2
"""Of terms over how many symbols at most the values are kept."""


def value_of(term: Term, sizes: Mapping[str, int]) -> int | None:
    """The concrete value of an integer term over launch symbols; None when something is not known."""
    return Evaluation(term).at(sizes) if term.args else _node(term, [], sizes)


class Evaluation:
    """An integer term over launch symbols, its parts in the order in which they are computed. Of one or two symbols, what came of
    their values is kept: launches that are looked at in turn have all combinations of a few values."""

    def __init__(self, term: Term) -> None:
        nodes = T.subterms(term)
        place = {node.serial: at for at, node in enumerate(nodes)}
        self.names = {node.data.name for node in nodes if isinstance(node.data, Symbol)}
        self.values = [_node(node, [], {}) if node.op == "const" else None for node in nodes]
        self.steps = [(at, node, [place[arg.serial] for arg in node.args]) for at, node in enumerate(nodes) if node.op != "const"]
        self.kept_of = sorted(self.names) if len(self.names) <= MOST_KEPT_OF else None
        self.kept: dict[tuple[int | None, ...], int | None] = {}

    def at(self, sizes: Mapping[str, int]) -> int | None:
        """Its value at these sizes; None when something is not known."""
        if not self.steps:
            return self.values[-1]
        if self.kept_of is None:
            return self._computed(sizes)
        known = tuple([sizes.get(name) for name in self.kept_of])
        if known not in self.kept:
            self.kept[known] = self._computed(sizes)
        return self.kept[known]

    def _computed(self, sizes: Mapping[str, int]) -> int | None:
        values = list(self.values)
        for at, node, args in self.steps:
            values[at] = _node(node, [values[arg] for arg in args], sizes)
        return values[-1]


def _node(node: Term, args: list[int | None], sizes: Mapping[str, int]) -> int | None:
    if node.op == "const":
        value = T.constant_value(node)
        return None if value is None or node.type.is_float else int(value)
    if node.op == "sym":
        assert isinstance(node.data, Symbol)
        return sizes.get(node.data.name)
    if node.op == "ite":
        return args[1] if args[0] else args[2]
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args) or node.op in ("read", "call", "undef"):
        return None
    try:
        if node.op == "cast":
            return int(arithmetic.cast(known[0], node.args[0].type, node.type))
        if len(known) == 1:
            return int(arithmetic.unary("-" if node.op == "neg" else node.op, known[0], node.args[0].type))
        return int(arithmetic.binary(node.op, known[0], known[1], node.args[0].type))
    except Undefined:
        return None
