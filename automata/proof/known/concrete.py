"""Concrete launches out of symbolic ones: sizes and arguments that meet the requirements, small ones first. What memory
holds there is `witness/setting.py`'s to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from automata.lang.core import AXES, Quantity
from automata.lang.launch import read_size
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.proof.known.context import Context
from automata.proof.known.evaluation import Evaluation, value_of
from automata.proof.known.in_turn import InTurn
from automata.proof.known.launching import evaluate

SCALARS = (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 65, 100, 127, 128, 129, 257, 513, 1000, 0, -1)
DIMENSIONS = (1, 2, 3, 4, 8, 32)
MAX_TRIED = 50_000
Assignment = dict[str, int]


def admitted(contexts: Sequence[Context], scalars: Sequence[int] = SCALARS, dimensions: Sequence[int] = DIMENSIONS,
             tried: int = MAX_TRIED, own: Mapping[str, Sequence[int]] = MappingProxyType({})) -> Iterator[Assignment]:
    """Assignments of the free sizes and parameters, out of a few numbers, that meet every requirement of all kernels.

    `tried`: how many to look at; `own`: out of which numbers some sizes and parameters are instead.
    """
    derived = derived_symbols(contexts)
    required = Requirements(contexts)
    free = [name for name in required.names if name not in derived]
    sizes_of = {str(term) for context in contexts for term in context.symbols() if T.size_of(term)}
    choices = [[value for value in own.get(name, dimensions if name in sizes_of else scalars) if required.allow(name, value)]
               for name in free]
    in_turn = InTurn(dict(zip(free, choices, strict=True)), derived, required.terms_of_ranges, required.terms)
    yield from in_turn.admitted(tried)


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
        self.terms_of_ranges = list(dict.fromkeys(
            (str(term), *context.range_of(term)) for context in contexts for term in context.symbols()))
        self.terms = list(dict.fromkeys(term for context in contexts for term in context.required))
        self.ranges = [(name, Evaluation(low), Evaluation(high)) for name, low, high in self.terms_of_ranges]
        self.required = [Evaluation(term) for term in self.terms]

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


def triple(context: Context, quantity: Quantity, sizes: Mapping[str, int]) -> tuple[int, int, int]:
    """The three sizes of a block or grid."""
    x, y, z = (value_of(context.size(quantity, axis), sizes) or 1 for axis in AXES)
    return x, y, z


def extent(context: Context, name: str) -> Term:
    """The stated number of elements of an array."""
    return evaluate(read_size(context.launch.extents[name], context.kernel, f"extent of {name}"), context.values)


def derived_symbols(contexts: Sequence[Context]) -> dict[str, Term]:
    """Symbols that requirements of kernels fix, also joined by `&&` and turned round; none hangs on itself."""
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
