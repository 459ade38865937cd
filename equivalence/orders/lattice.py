"""Minima and maxima of values of a total order, by thresholds.

Input: leaves (values of which only their order counts, some of them known numbers) and what is made of them by minima,
maxima and choices by comparisons. Output: a function for each such value; two values are the same whatever the leaves are if, and
only if, their functions are.

A value v is known by the tests v >= t. Those of a maximum are "or" of the operands' tests, those of a minimum "and", so v >= t is
one monotone Boolean function of the tests of the leaves, the same for all t: the 0-1 principle of sorting networks (Knuth, TAOCP
vol. 3, 5.3.4). A choice `a < b ? p : q` is such a value if p and q agree wherever a and b do: its function is that of q where a's
test holds and b's does not, else that of p. For let a <= b in an input: then a >= t implies b >= t, and p counts; else q. What
must be shown speaks of one threshold alone, for inputs of zeros and ones are inputs.

Functions are sets where they are one "or" or one "and" of leaves, else decision diagrams (Bryant, IEEE TC 1986). Of known
numbers a test implies that of every larger one, and those at the ends of a type tell nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from automata.budget import METER
from automata.limits import ORDER_WORK

FALSE, TRUE = 0, 1
MOST_MIXED = 40
"""Leaves of a set that is made a decision diagram."""

_STEP = 8_000
"""Nanoseconds of a step of a decision diagram."""


class TooMany(Exception):
    """All functions together grow too large."""


class TooWide(Exception):
    """A function is of too many leaves, or too much was spent on diagrams before."""


class Function(NamedTuple):
    """`form`: "|" or "&" of leaves, or "?": a node of the diagrams. A leaf by itself is an "|"."""

    form: str
    leaves: frozenset[int]
    node: int = FALSE


class Partial(NamedTuple):
    """A node, and where it is known to be the function of a value: a choice within another counts where that leads to it."""

    value: int
    shown: int


def leaf(number: int) -> Function:
    return Function("|", frozenset((number,)))


@dataclass
class Work:
    """What all lattices of a comparison have done together. `on_diagrams`: of it, on decision diagrams, which take half at
    most: what is too wide for them stays a value of its own."""

    done: int = 0
    on_diagrams: int = 0

    def on_diagram(self) -> None:
        self.on_diagrams += 1
        self.step()
        if self.on_diagrams > ORDER_WORK.value // 2:
            ORDER_WORK.stopped()
            raise TooWide

    def step(self, count: int = 1) -> None:
        self.done += count
        METER.done += _STEP * count
        if self.done > ORDER_WORK.value:
            ORDER_WORK.stopped()
            raise TooMany


@dataclass
class Lattice:
    """The functions over the leaves of one order. `low`, `high`: the ends of its type, where it has any; `numbers`: the leaves
    that are known. `nodes`: leaf, and the nodes where its test fails and holds; `masks`: the leaves below, one bit each."""

    work: Work
    low: int | None = None
    high: int | None = None
    numbers: dict[int, float] = field(default_factory=dict)
    nodes: list[tuple[int, int, int]] = field(default_factory=lambda: [(1 << 60, 0, 0), (1 << 60, 1, 1)])
    masks: list[int] = field(default_factory=lambda: [0, 0])
    known: dict[tuple[int, int, int], int] = field(default_factory=dict)
    memo: dict[tuple[int, int, int], int] = field(default_factory=dict)

    # -- functions --------------------------------------------------------------------------------

    def join(self, one: Function, two: Function) -> Function:
        """The larger of two values."""
        return self._together("|", one, two)

    def meet(self, one: Function, two: Function) -> Function:
        """The smaller of two values."""
        return self._together("&", one, two)

    def _together(self, form: str, one: Function, two: Function) -> Function:
        if one == two:
            return one
        if all(part.form == form or len(part.leaves) == 1 for part in (one, two) if part.form != "?") and "?" not in (
                one.form, two.form):
            self.work.step(1 + (len(one.leaves) + len(two.leaves)) // 16)
            return Function(form, one.leaves | two.leaves)
        first, second = self.diagram(one), self.diagram(two)
        return self.formed(self.ite(first, TRUE, second) if form == "|" else self.ite(first, second, FALSE))

    def choice(self, a: Function, b: Function, p: Function, q: Function) -> Function | None:
        """`a < b ? p : q` for keys, of which no two are the same; None where it is no function of theirs."""
        if p == q:
            return p
        if (p, q) == (b, a):
            return self.join(a, b)
        if (p, q) == (a, b):
            return self.meet(a, b)
        if not (p.leaves | q.leaves) & (a.leaves | b.leaves) or len(a.leaves | b.leaves | p.leaves | q.leaves) > MOST_MIXED:
            return None
        value, shown = self.chosen(a, b, Partial(self.diagram(p), TRUE), Partial(self.diagram(q), TRUE))
        return self.formed(value) if shown == TRUE else None

    def chosen(self, a: Function, b: Function, p: Partial, q: Partial) -> Partial:
        """`a < b ? p : q`, as far as it is the same whichever is taken where a and b are the same."""
        first, second = self.diagram(a), self.diagram(b)
        larger = self.ite(first, self.ite(second, FALSE, TRUE), FALSE)
        smaller = self.ite(second, self.ite(first, FALSE, TRUE), FALSE)
        alike = self.ite(p.value, q.value, self.ite(q.value, FALSE, TRUE))
        both = self.ite(self.ite(p.shown, q.shown, FALSE), alike, FALSE)
        return Partial(self.ite(larger, q.value, p.value), self.ite(larger, q.shown, self.ite(smaller, p.shown, both)))

    def decides(self, function: Function, at: int, other: int, *, holds: bool) -> bool:
        """Whether a leaf's test may decide a function while that of another holds, or fails."""
        if function.form != "?":
            return at in function.leaves and not (other in function.leaves and holds == (function.form == "|"))
        found = (self.fixed(function.node, {other: int(holds), at: value}) for value in (0, 1))
        return next(found) != next(found)

    def reduced(self, function: Function) -> Function:
        """The same value without the known numbers that do not count."""
        numbers = sorted((self.numbers[at], at) for at in function.leaves if at in self.numbers)
        if not numbers:
            return function
        if function.form != "?":
            return self._reduced_set(function, numbers)
        return self._reduced_node(function, numbers)

    def _reduced_set(self, function: Function, numbers: list[tuple[float, int]]) -> Function:
        is_or = function.form == "|"
        value, kept = numbers[-1] if is_or else numbers[0]
        others = function.leaves - {at for _, at in numbers}
        if not others or value == (self.high if is_or else self.low):
            return leaf(kept)
        found = others if value == (self.low if is_or else self.high) else others | {kept}
        return Function("|" if len(found) == 1 else function.form, found)

    def _reduced_node(self, function: Function, numbers: list[tuple[float, int]]) -> Function:
        """Between two known numbers the function is one of the others alone; numbers count where it changes."""
        cases = [(upper, self.fixed(function.node, fixed)) for upper, fixed in self._cases(numbers)]
        made = cases[-1][1]
        for (upper, node), (_, after) in zip(reversed(cases[:-1]), reversed(cases[1:]), strict=True):
            if node != after:
                assert upper is not None
                made = self.ite(made, TRUE, self.ite(self.made(upper, FALSE, TRUE), node, FALSE))
        if made <= TRUE:  # always the least value of the type, or the greatest: so one of the numbers is
            return leaf(numbers[0 if made == FALSE else -1][1])
        return self.formed(made)

    def _cases(self, numbers: list[tuple[float, int]]) -> list[tuple[int | None, dict[int, int]]]:
        """For thresholds from the lowest up: the leaf of the first known number that is not below, and whose tests hold."""
        cases: list[tuple[int | None, dict[int, int]]] = []
        for passed in range(len(numbers) + 1):
            below = numbers[passed - 1][0] if passed else None
            above = numbers[passed][0] if passed < len(numbers) else None
            if (above is not None and above == self.low) or (below is not None and below == self.high):
                continue
            upper = numbers[passed][1] if passed < len(numbers) else None
            cases.append((upper, {at: int(place >= passed) for place, (_, at) in enumerate(numbers)}))
        return cases

    # -- diagrams ---------------------------------------------------------------------------------

    def diagram(self, function: Function) -> int:
        """The node of a function."""
        if function.form == "?":
            return function.node
        if len(function.leaves) > MOST_MIXED:
            raise TooWide
        node = FALSE if function.form == "|" else TRUE
        for at in sorted(function.leaves, reverse=True):
            node = self.made(at, node, TRUE) if function.form == "|" else self.made(at, FALSE, node)
        return node

    def formed(self, node: int) -> Function:
        """The function of a node: a set where it is one."""
        for form, skips, ends in (("|", 2, FALSE), ("&", 1, TRUE)):
            leaves, at = [], node
            while at > TRUE and self.nodes[at][skips] == 1 - ends:
                leaves.append(self.nodes[at][0])
                at = self.nodes[at][3 - skips]
            if at == ends and leaves:
                return Function("|" if len(leaves) == 1 else form, frozenset(leaves))
        return Function("?", self._support(node), node)

    def _support(self, node: int) -> frozenset[int]:
        """The leaves that a node hangs on."""
        found, mask = [], self.masks[node]
        while mask:
            found.append((mask & -mask).bit_length() - 1)
            mask &= mask - 1
        return frozenset(found)

    def made(self, at: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = at, low, high
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = len(self.nodes)
            self.nodes.append(key)
            self.masks.append(1 << at | self.masks[low] | self.masks[high])
        return found

    def ite(self, test: int, then: int, other: int) -> int:
        """`test ? then : other`"""
        if test == TRUE or then == other:
            return then
        if test == FALSE:
            return other
        if (then, other) == (TRUE, FALSE):
            return test
        key = test, then, other
        found = self.memo.get(key)
        if found is None:
            self.work.on_diagram()
            at = min(self.nodes[part][0] for part in key)
            low, high = (self.ite(*(self.nodes[part][way] if self.nodes[part][0] == at else part for part in key))
                         for way in (1, 2))
            found = self.memo[key] = self.made(at, low, high)
        return found

    def fixed(self, node: int, values: dict[int, int]) -> int:
        """A node where some leaves' tests are known."""
        done: dict[int, int] = {}

        def look(at: int) -> int:
            if at <= TRUE:
                return at
            if at not in done:
                self.work.on_diagram()
                leaf_, low, high = self.nodes[at]
                done[at] = (look(high if values[leaf_] else low) if leaf_ in values else
                            self.made(leaf_, look(low), look(high)))
            return done[at]
        return look(node)

    def always(self, node: int) -> bool:
        """Whether a node holds whatever the leaves are, their known numbers being what they are."""
        if node == TRUE:
            return True
        numbers = sorted((self.numbers[at], at) for at in self._support(node) if at in self.numbers)
        return bool(numbers) and all(self.fixed(node, fixed) == TRUE for _, fixed in self._cases(numbers))
