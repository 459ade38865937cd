"""Concrete launches out of symbolic ones: sizes and arguments that meet the requirements, small ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

import numpy as np

from automata.arithmetic import Value
from automata.lang.core import AXES, Array, Quantity
from automata.lang.launch import read_size
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill, as_cells
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Setting, Triple
from automata.proof.known.context import Context
from automata.proof.known.evaluation import Evaluation, value_of
from automata.proof.known.filling import Filling, filling, never
from automata.proof.known.launching import evaluate

SCALARS = (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 65, 100, 127, 128, 129, 257, 513, 1000, 0, -1)
DIMENSIONS = (1, 2, 3, 4, 8, 32)
MAX_TRIED = 50_000
Assignment = dict[str, int]


def admitted(contexts: Sequence[Context], scalars: Sequence[int] = SCALARS, dimensions: Sequence[int] = DIMENSIONS,
             tried: int = MAX_TRIED) -> Iterator[Assignment]:
    """Assignments of the free sizes and parameters, out of a few numbers, that meet every requirement of all kernels.

    `tried`: how many to look at.
    """
    derived = derived_of_all(contexts)
    required = Requirements(contexts)
    free = [name for name in required.names if name not in derived]
    sizes_of = {str(term) for context in contexts for term in context.symbols() if T.size_of(term)}
    choices = [[value for value in (dimensions if name in sizes_of else scalars) if required.allow(name, value)] for name in free]
    fixed = {name: Evaluation(term) for name, term in derived.items()}
    for values in islice(product(*choices), tried):
        sizes = dict(zip(free, values, strict=True))
        derive(fixed, sizes)
        if required.hold(sizes):
            yield sizes


def derive(fixed: Mapping[str, Evaluation], sizes: Assignment) -> None:
    """Add the sizes that requirements fix, each once what it depends on is known."""
    for _ in fixed:
        for name, term in fixed.items():
            if name not in sizes and (value := term.at(sizes)) is not None:
                sizes[name] = value
        if fixed.keys() <= sizes.keys():
            break


def is_admitted(contexts: Sequence[Context], sizes: Mapping[str, int]) -> bool:
    """Whether sizes lie in their ranges and meet every requirement."""
    return Requirements(contexts).hold(sizes)


class Requirements:
    """The ranges and the requirements of some kernels, read once and asked of many launches."""

    def __init__(self, contexts: Sequence[Context]) -> None:
        self.names = list(dict.fromkeys(str(term) for context in contexts for term in context.symbols()))
        ranges = dict.fromkeys((str(term), *context.range_of(term)) for context in contexts for term in context.symbols())
        self.ranges = [(name, Evaluation(low), Evaluation(high)) for name, low, high in ranges]
        self.required = [Evaluation(term) for term in dict.fromkeys(term for context in contexts for term in context.required)]

    def hold(self, sizes: Mapping[str, int]) -> bool:
        """Whether sizes lie in their ranges and meet every requirement."""
        return (all(name in sizes and _within(low.at(sizes), sizes[name], high.at(sizes)) for name, low, high in self.ranges)
                and all(term.at(sizes) for term in self.required))

    def allow(self, name: str, value: int) -> bool:
        """Whether what is asked of one size alone admits a value."""
        sizes = {name: value}
        return (all(_within(low.at({}), value, high.at({})) for other, low, high in self.ranges
                    if other == name and not low.names | high.names)
                and all(term.at(sizes) for term in self.required if term.names == {name}))


def _within(low: int | None, value: int, high: int | None) -> bool:
    return low is not None and high is not None and low <= value <= high


def setting_at(context: Context, sizes: Mapping[str, int], fill: Fill,
               ranges: Mapping[str, tuple[int, int]] | None = None) -> Setting:
    """The launch at these sizes, with memory and whatever has no value yet filled, as is required of it. `ranges`: of array
    contents."""
    bounds = context.launch.ranges if ranges is None else ranges
    scalars: dict[str, Value] = {}
    for param in context.kernel.params:
        value = value_of(context.values[param.name], sizes)
        made_up = T.constant_value(context.values[param.name]) if param.type.is_float else value
        number = float(fill(param.name, np.zeros(1, np.int64))[0]) if made_up is None else made_up
        scalars[param.name] = param.type.round(float(number)) if param.type.is_float else int(number)
    extents: dict[str, int] = {name: size for name in context.launch.extents
                               if (size := value_of(extent(context, name), sizes)) is not None}

    kept = filled(context, sizes)

    def initial(array: Array, index: Numbers) -> Cells:
        values = fill(array.name, index)
        return as_cells(kept.values(array.name, index, values, {}) if kept else values, array.element, bounds.get(array.name))

    return Setting(triple(context, Quantity.GRID_DIM, sizes), triple(context, Quantity.BLOCK_DIM, sizes), scalars, {}, initial,
                   extents, kept.meets if kept else never if context.facts else None, kept.lengths if kept else {})


def filled(context: Context, sizes: Mapping[str, int]) -> Filling | None:
    """How memory is filled at some sizes so that it is as required; None where nothing is required of it."""
    return None if context.facts is None else filling(context.facts, sizes)


def triple(context: Context, quantity: Quantity, sizes: Mapping[str, int]) -> Triple:
    """The three sizes of a block or grid."""
    x, y, z = (value_of(context.size(quantity, axis), sizes) or 1 for axis in AXES)
    return x, y, z


def extent(context: Context, name: str) -> Term:
    """The stated number of elements of an array."""
    return evaluate(read_size(context.launch.extents[name], context.kernel, f"extent of {name}"), context.values)


def derived_symbols(context: Context) -> dict[str, Term]:
    """Symbols that a requirement `symbol == expression` fixes."""
    found: dict[str, Term] = {}
    for term in context.required:
        if term.op == "==" and term.args[0].op == "cast" and term.args[0].args[0].op == "sym":
            found.setdefault(str(term.args[0].args[0]), term.args[1])
    return found


def derived_of_all(contexts: Sequence[Context]) -> dict[str, Term]:
    """Symbols that requirements of several kernels fix, also joined by `&&` and turned round; none hangs on itself."""
    found: dict[str, Term] = {}
    hangs_on: dict[str, set[str]] = {}
    for part in (part for context in contexts for term in context.required for part in T.conjuncts(term)):
        for one, other in (part.args, part.args[::-1]) if part.op == "==" else ():
            name = str(bare) if (bare := one.args[0] if one.op == "cast" else one).op == "sym" else ""
            needed, todo = set[str](), list(Evaluation(other).names)
            while todo:
                if (each := todo.pop()) not in needed:
                    needed.add(each)
                    todo += hangs_on.get(each, ())
            if name and name not in found and name not in needed:
                found[name], hangs_on[name] = other, needed
                break
    return found
