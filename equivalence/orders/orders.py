"""What is known of values by the order of others: minima, maxima, and what is picked together with them.

Input: choices (`test ? p : q`) of symbols whose test compares values. Output: one symbol for all choices that come to one
function of the order. Two kinds are known.

- A value of the compared type: the choice is a minimum or maximum of leaves (`lattice`), whatever it is where both sides are
  the same.
- Anything that goes with a value, such as its index: a *pick*. Each leaf is a key that has a payload; the keys are the leaves'
  values, and where two of them are the same a rank decides, so that no two keys are. The choice picks the payload of the key
  that a function of `lattice` says. Which way ranks decide (`RISING`: of two leaves of one value that of the larger rank is the
  larger key; `FALLING`) is read off the tests: for each two leaves that may meet in a tie, the test has to say what the ranks do.
  Where two leaves have one payload it does not matter.

The rank of a leaf is the index of the input that it is, or is made of first; that of numbers of the source is below all others.
All this is shared by both sides of a comparison, so that one function has one symbol on both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from automata.scalar import Scalar
from equivalence.orders.compared import Chosen, Comparisons, Symbol, Test
from equivalence.orders.inputs import Inputs
from equivalence.orders.lattice import (
    MOST_MIXED,
    TRUE,
    Function,
    Lattice,
    Partial,
    TooWide,
    Work,
    leaf,
)

RISING, FALLING = 1, 2
REAL = "real"
MOST_WAYS = 4
"""Ways to see one value as a pick."""

MISSING, OF_NUMBERS, MOST_ARRAYS = -(1 << 60), -(1 << 50), 64
"""Ranks: none; that of numbers; and how many arrays' elements of one index are told apart by them."""

MOST_PAIRS = 1 << 20
MOST_UNLIKE = 256
MOST_PARTIAL = 12
"""Leaves of choices inside of choices."""
Row = bytes
Side = tuple[Function, list[int]]
"""A function of keys and its leaves."""
Table = npt.NDArray[np.bool_]
"""For each leaf of one side and each of another."""


class Pick(NamedTuple):
    """`function`: which key, of values of an order (`kind`); `payload`: what goes with each leaf; `ties`: the ranks for which
    it is so."""

    kind: str
    function: Function
    payload: tuple[tuple[int, Symbol], ...]
    ties: int


def order_of(kind: Scalar) -> str:
    """The order that values of a type are in."""
    return REAL if kind.is_float else kind.name


@dataclass
class Orders:
    """What both sides know. A symbol is what a row of words begins with.

    `rows`: the whole rows; `numbers`: of symbols; `inputs`: the symbols of arrays; `origins`: what values are computed from;
    `leaves`, `of_leaves`: the leaves of each order, and their symbols; `functions`: of symbols that are made of leaves, and
    `symbols` the other way round; `picks`: ways to see a symbol as one, and `picked` the other way round; `of_two`: minima and
    maxima of two symbols; `partials`, with their leaves: of choices that are no function by themselves; `decides`: whether any
    value is known by the order of floats.
    """

    work: Work = field(default_factory=Work)
    comparisons: Comparisons = field(default_factory=Comparisons)
    rows: dict[Symbol, Row] = field(default_factory=dict)
    numbers: dict[Symbol, float] = field(default_factory=dict)
    inputs: dict[str, Inputs] = field(default_factory=dict)
    origins: dict[Symbol, tuple[Symbol, ...]] = field(default_factory=dict)
    known_ranks: dict[Symbol, int] = field(default_factory=dict)
    lattices: dict[str, Lattice] = field(default_factory=dict)
    kinds: dict[str, Scalar] = field(default_factory=dict)
    leaves: dict[tuple[str, Symbol], int] = field(default_factory=dict)
    of_leaves: dict[tuple[str, int], Symbol] = field(default_factory=dict)
    functions: dict[tuple[str, Symbol], Function] = field(default_factory=dict)
    symbols: dict[tuple[str, Function], Symbol] = field(default_factory=dict)
    picks: dict[Symbol, list[Pick]] = field(default_factory=dict)
    picked: dict[Pick, Symbol] = field(default_factory=dict)
    of_two: dict[tuple[str, bool, frozenset[Symbol]], Row] = field(default_factory=dict)
    partials: dict[tuple[str, Symbol], tuple[Partial, frozenset[int]]] = field(default_factory=dict)
    decides: bool = False

    def __post_init__(self) -> None:
        self.comparisons.extreme = self._larger

    def lattice(self, kind: Scalar) -> str:
        """The name of a type's order, of which there is a lattice then."""
        name = order_of(kind)
        if name not in self.lattices:
            ends = (None, None) if kind.is_float else (kind.low, kind.high)
            self.lattices[name], self.kinds[name] = Lattice(self.work, *ends), kind
        return name

    def number(self, symbol: Symbol, kind: Scalar) -> float | None:
        """The number of a type that a symbol is."""
        found = self.numbers.get(symbol)
        return found if found is None or kind.is_float else kind.wrap(int(found)) if found == int(found) else None

    def function(self, name: str, symbol: Symbol) -> Function:
        """Of a value; of one that nothing is known of: a leaf."""
        found = self.functions.get((name, symbol))
        if found is not None:
            return found
        at = self.leaves.setdefault((name, symbol), len(self.leaves))
        if (name, at) not in self.of_leaves:
            self.of_leaves[name, at] = symbol
            known = self.number(symbol, self.kinds[name])
            if known is not None:
                self.lattices[name].numbers[at] = known
        return leaf(at)

    # -- minima and maxima ------------------------------------------------------------------------

    def extreme(self, kind: Scalar, one: Symbol, two: Symbol, row: Row, *, is_max: bool) -> Row:
        """The symbol of a maximum or minimum. `row`: what it is where it is new."""
        return self._of_two(self.lattice(kind), one, two, row, is_max=is_max)

    def _of_two(self, name: str, one: Symbol, two: Symbol, row: Row, *, is_max: bool) -> Row:
        """The same, once for two operands: so one network written in two ways is one, however large."""
        self.work.step()
        operands = name, is_max, frozenset((one, two))
        if operands not in self.of_two:
            lattice, made = self.lattices[name], row
            try:
                first, second = self.function(name, one), self.function(name, two)
                made = self.valued(name, lattice.join(first, second) if is_max else lattice.meet(first, second), row)
            except TooWide:
                self.decides |= name == REAL
            self.of_two[operands] = made
        return self.of_two[operands]

    def valued(self, name: str, function: Function, row: Row) -> Row:
        """The one symbol of all values of a function."""
        self.decides |= name == REAL
        function = self.lattices[name].reduced(function)
        if function.form == "|" and len(function.leaves) == 1:
            (at,) = function.leaves
            return self.rows[self.of_leaves[name, at]]
        symbol = self.symbols.setdefault((name, function), row[:16])
        self.functions.setdefault((name, symbol), function)
        return self.rows.setdefault(symbol, row)

    # -- choices ----------------------------------------------------------------------------------

    def choice(self, test: Symbol, then: Symbol, other: Symbol, kind: Scalar, row: Row) -> Row | None:
        """The symbol of `test ? then : other`, if its test compares values and that says what it is."""
        self.work.step()
        try:
            made = next((found for parts in self._as_one(test, then, other)
                         if (found := self._chosen(*parts, kind, row)) is not None), None)
        except TooWide:
            made = None
        self.comparisons.note_choice((made or row)[:16], (test, then, other))
        return made

    def _larger(self, name: str, symbol: Symbol, pair: tuple[Symbol, Symbol]) -> bool | None:
        """Whether a value is the larger of two, or the smaller."""
        found, lattice = self.functions.get((name, symbol)), self.lattices[name]
        one, two = (self.function(name, part) for part in pair)
        if found is None or not found.leaves <= one.leaves | two.leaves:
            return None
        try:
            for made, is_max in ((lattice.join(one, two), True), (lattice.meet(one, two), False)):
                if lattice.reduced(made) == found:
                    return is_max
        except TooWide:
            pass
        return None

    def _as_one(self, test: Symbol, then: Symbol, other: Symbol) -> Iterator[tuple[Symbol, Symbol, Symbol]]:
        """A choice; and, where a side of it is one that has the other side too, both as one."""
        yield test, then, other
        for op, side, kept in (("||", other, then), ("&&", then, other)):
            for inner in self.comparisons.choices.get(side, ()):
                if inner[1 + (op == "&&")] == kept:
                    joined = op.encode() + test + inner[0]
                    self.comparisons.note(joined, Test(op, (test, inner[0])))
                    yield (joined, then, inner[2]) if op == "||" else (joined, inner[1], other)

    def _chosen(self, test: Symbol, then: Symbol, other: Symbol, kind: Scalar, row: Row) -> Row | None:
        ways = list(self.comparisons.chosen(test))
        for way in ways:
            if way.kind == order_of(kind):
                if {then, other} == {way.small, way.large}:
                    return self._of_two(way.kind, then, other, row, is_max=then == way.large)
                found = self._extreme(way, then, other, row)
                if found is not None:
                    return self.valued(way.kind, found, row)
        picks = [pick for way in ways for pick in islice(self._picked(way, then, other), MOST_WAYS)]
        return self.named(picks, row) if picks else None

    def _extreme(self, way: Chosen, then: Symbol, other: Symbol, row: Row) -> Function | None:
        """What a choice of values of the compared type is a function of. Where it is none by itself, what is known is kept."""
        a, b, p, q = (self.function(way.kind, symbol) for symbol in (way.small, way.large, then, other))
        lattice = self.lattices[way.kind]
        sides = [self.partials.get((way.kind, symbol), (None, function.leaves)) for symbol, function in ((then, p), (other, q))]
        compared, chosen = a.leaves | b.leaves, sides[0][1] | sides[1][1]
        is_small = len(compared | chosen) <= MOST_PARTIAL
        if not is_small and (len(compared | chosen) > MOST_MIXED or not compared & chosen):
            return None
        parts = [known or Partial(lattice.diagram(side), TRUE) for (known, _), side in zip(sides, (p, q), strict=True)]
        made = lattice.chosen(a, b, *parts)
        if lattice.always(made.shown):
            return lattice.formed(made.value)
        if is_small:
            self.partials.setdefault((way.kind, row[:16]), (made, compared | chosen))
        return None

    def named(self, picks: list[Pick], row: Row) -> Row:
        """The one symbol of all picks of a function and payload. `picks`: ways to see one value."""
        self.decides |= any(pick.kind == REAL for pick in picks)
        for pick in picks:
            payloads = {payload for _, payload in pick.payload}
            if len(payloads) == 1:
                return self.rows[payloads.pop()]
        ways = [pick._replace(ties=ties) for pick in picks for ties in (RISING, FALLING) if pick.ties & ties]
        symbol = next((self.picked[way] for way in ways if way in self.picked), row[:16])
        for way in ways:
            self.picked.setdefault(way, symbol)
        known = self.picks.setdefault(symbol, [])
        known += [pick for pick in picks if pick not in known]
        return self.rows.setdefault(symbol, row)

    def _picked(self, way: Chosen, then: Symbol, other: Symbol) -> Iterator[Pick]:
        """What a choice picks: all ways to see it so."""
        of_parts = [[pick for pick in self.picks.get(symbol, ()) if pick.kind == way.kind] for symbol in (then, other)]
        sides = [self._keys(way.kind, symbol, of_parts[0] + of_parts[1]) for symbol in (way.small, way.large)]
        for small, large in product(*sides):
            parts = [known + [self._alike(way.kind, key, symbol) for key in (large, small)]
                     for known, symbol in zip(of_parts, (then, other), strict=True)]
            for one, two in product(*parts):
                payload = dict(two.payload) | dict(one.payload)
                if any(payload[at] != symbol for at, symbol in two.payload):
                    continue
                function = self.lattices[way.kind].choice(small, large, one.function, two.function)
                ties = one.ties & two.ties & self._ties(way, small, large, payload) if function is not None else 0
                if function is not None and ties:
                    yield Pick(way.kind, function, tuple((at, payload[at]) for at in sorted(function.leaves)), ties)

    def _keys(self, name: str, symbol: Symbol, picks: list[Pick]) -> list[Function]:
        """The functions of keys whose value a symbol is: those that are picked by, and its own."""
        own = self.function(name, symbol)
        reduced = self.lattices[name].reduced
        found = [pick.function for pick in picks if pick.function != own and reduced(pick.function) == own]
        return list(dict.fromkeys([*found, own]))

    def _alike(self, name: str, keys: Function, payload: Symbol) -> Pick:
        """The pick of one payload for all leaves."""
        return Pick(name, keys, tuple((at, payload) for at in sorted(keys.leaves)), RISING | FALLING)

    # -- ties -------------------------------------------------------------------------------------

    def _ties(self, way: Chosen, small: Function, large: Function, payload: Mapping[int, Symbol]) -> int:
        """The ranks that say the same as a test where a leaf of one side and one of the other have one value."""
        ones, twos = sorted(small.leaves), sorted(large.leaves)
        if len(ones) * len(twos) > MOST_PAIRS:
            return 0
        self.work.step(1 + len(ones) * len(twos) // 8)
        holds, ties = self._holds(way, (small, ones), (large, twos))
        ranks = [np.array([self._rank(way.kind, at) for at in side]) for side in (ones, twos)]
        if not ties or any((rank == MISSING).any() for rank in ranks):
            return 0
        same = [[one == two or (one in payload and payload.get(one) == payload.get(two)) for two in twos] for one in ones]
        below, above = ranks[0][:, None] < ranks[1][None, :], ranks[0][:, None] > ranks[1][None, :]
        alike = np.array(same, np.bool_)
        if not (alike | below | above).all():
            return 0
        return ties & ((RISING if self._says(way.kind, (small, ones), (large, twos), alike, below, holds) else 0)
                       | (FALLING if self._says(way.kind, (small, ones), (large, twos), alike, above, holds) else 0))

    def _says(self, name: str, small: Side, large: Side, alike: Table, smaller: Table, holds: Table) -> bool:
        """Whether a test says the same as ranks do, of each leaf of one side and each of the other: that the first is smaller.
        Where two cannot meet it does not matter."""
        unlike = np.argwhere(~alike & (smaller != holds)).tolist()
        return len(unlike) <= MOST_UNLIKE and not any(
            self._may_meet(name, (small[0], small[1][one]), (large[0], large[1][two]), is_smaller=bool(smaller[one, two]))
            for one, two in unlike)

    def _may_meet(self, name: str, small: tuple[Function, int], large: tuple[Function, int], *, is_smaller: bool) -> bool:
        """Whether two functions may come to keys of one value, one that is the smaller by rank (`is_smaller`) or the larger."""
        lower, upper = (small, large) if is_smaller else (large, small)
        decides = self.lattices[name].decides
        return decides(*upper, lower[1], holds=False) and decides(*lower, upper[1], holds=True)

    def _holds(self, way: Chosen, small: Side, large: Side) -> tuple[Table, int]:
        """For each leaf of one side and each of the other, whether a test holds where they have one value; and for which ranks
        it is so."""
        nothing = np.zeros((len(small[1]), len(large[1])), np.bool_)
        if isinstance(way.tie, bool):
            return nothing | way.tie, RISING | FALLING
        test = way.tie.test
        if test.op != "<" or test.kind not in self.kinds:
            return nothing, 0
        for left, right, is_turned in ((small, large, False), (large, small, True)):
            (one, ties), (two, others) = (self._numbers(way.kind, symbol, side, self.kinds[test.kind])
                                          for symbol, side in zip(test.parts, (left, right), strict=True))
            if ties & others:
                less = np.array([[(first < second) == way.tie.holds for second in two] for first in one], np.bool_)
                return less.T if is_turned else less, ties & others
        return nothing, 0

    def _numbers(self, name: str, symbol: Symbol, side: Side, kind: Scalar) -> tuple[list[float], int]:
        """The numbers that go with the leaves of one side, as a symbol says them, and for which ranks it does."""
        picks = [pick for pick in self.picks.get(symbol, ()) if (pick.kind, pick.function) == (name, side[0])]
        payload = dict(picks[0].payload) if picks else dict.fromkeys(side[1], symbol)
        numbers = [number for at in side[1] if (number := self.number(payload[at], kind)) is not None]
        return numbers, 0 if len(numbers) < len(side[1]) else picks[0].ties if picks else RISING | FALLING

    def _rank(self, name: str, at: int) -> int:
        symbol = self.of_leaves[name, at]
        return OF_NUMBERS if symbol in self.numbers else self.rank(symbol)

    def rank(self, symbol: Symbol) -> int:
        """The rank of a value that is no number: by the index and array of an input, its own or the first it is made of."""
        if symbol not in self.known_ranks:
            self.known_ranks[symbol] = MISSING
            found = (at * MOST_ARRAYS + number for number, inputs in enumerate(self.inputs.values())
                     if (at := inputs.index(symbol)) is not None)
            made_of = (rank for part in self.origins.get(symbol, ()) if (rank := self.rank(part)) != MISSING)
            self.known_ranks[symbol] = next(chain(found, made_of), MISSING)
        return self.known_ranks[symbol]
