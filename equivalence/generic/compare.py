"""Whether two kernels leave the same outputs for all sizes, by one generic block of each.

Input: the checks of both kernels. Output: for each array the strongest class of equality that is shown, or why none is. Both
blocks are run once (`block`); cells of one side meet those of the other (`cells`); then values are compared reading by
reading: first for a generic thread, whose coordinates are symbols, and where lanes are not alike, lane by lane.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from automata.budget import Budget
from automata.lang.core import AXES, Quantity
from automata.lang.lower import lower
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, Mode
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.logic.views import ANY, View
from automata.passes import passing
from automata.proof.analysis import Analysis
from automata.proof.context import Context, known_numbers
from automata.scalar import BOOL
from equivalence.generic.alignment import Alignment
from equivalence.generic.block import GenericBlock
from equivalence.generic.cells import Cells, Family, Match, Side, in_range
from equivalence.generic.equality import Equality
from equivalence.generic.evaluate import Evaluator
from equivalence.generic.forms import READINGS, Form, Laws
from equivalence.generic.forms import ZERO as ZERO_FORM
from equivalence.generic.infinities import Infinities
from equivalence.generic.integers import ZERO, CannotFollow, Integers
from equivalence.generic.lanes import NotAffine, Position, Row, Shape, digits_for
from equivalence.generic.memory import Symbolic
from equivalence.generic.show import show
from equivalence.generic.staged import Staged
from equivalence.generic.stores import Written
from equivalence.generic.tallies import Tallies, is_updated
from equivalence.generic.values import Fetch, Node, Value, Write
from equivalence.result import EqualityClass

MOST_LANES = 1024
MOST_PARTS = 4096
"""Parts into which a coordinate is taken to know lanes of the other side by number."""
DEEP = 20_000
MOST_TOLD = 24
"""Lines of a proof."""


@dataclass
class Shown:
    """The answer for one array: a class, or why there is none. `proof`: how it is shown, for people; `assumed`: what
    it takes for granted."""

    kind: EqualityClass | None
    reason: str = ""
    proof: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)


@dataclass
class GenericPair:
    """Two kernels with the integers of both. `failed`: why a reading does not show equality, of the last array that was asked
    about."""

    a: Analysis
    b: Analysis
    budget: Budget
    integers: Integers = field(init=False)
    cells: Cells = field(init=False)
    staged: list[Staged] = field(init=False)

    def __post_init__(self) -> None:
        contexts = self.a.context, self.b.context
        modes: dict[T.Term, Mode] = {}
        for context in contexts:
            modes |= {term: mode for term, mode in context.modes.items() if modes.get(term) is not Mode.EXACT}
        encoder = Encoder(ranges={**contexts[0].ranges, **contexts[1].ranges}, modes=modes)
        self.integers = Integers(encoder, [part for context in contexts for part in context.requirements(encoder)],
                                 self.budget)
        self.cells = Cells(self.integers, *(self.side(analysis, name) for name, analysis in (("a", self.a), ("b", self.b))))
        self.staged = [Staged(self.cells, side) for side in (self.cells.a, self.cells.b)]

    def side(self, analysis: Analysis, name: str) -> Side:
        """One side, run."""
        context = analysis.context
        if analysis.wraps.is_silent:
            raise CannotFollow(f"side {name} relies on integers that wrap")
        view = View(name, name)
        number = self.integers.encoder.number
        dims = [context.size(Quantity.BLOCK_DIM, axis) for axis in AXES]
        sizes = [T.constant_value(size) for size in dims]
        extents = None if any(size is None for size in sizes) else (int(sizes[0] or 0), int(sizes[1] or 0), int(sizes[2] or 0))
        shape = Shape(extents)
        if shape.lanes > MOST_LANES:
            raise CannotFollow(f"blocks of {shape.lanes} threads")
        blocks = {each: number(context.size(Quantity.GRID_DIM, axis), ANY) for axis in AXES
                  for each in number(context.values[f"{Quantity.BLOCK.value}.{axis}"], view).atoms()}
        written = self.run(context, analysis, shape, view)
        if extents is None:
            position = tuple(number(context.values[f"{Quantity.THREAD.value}.{axis}"], view) for axis in AXES)
            spans = [number(size, ANY) for size in dims]
        else:
            rows = [part for write in written.writes for part in (write.index, write.guard)]
            rows += [part for seen in written.seen for part in (seen.index, seen.guard)]
            accesses: list[Write | Fetch] = [*written.staged, *written.fetched]
            for access in accesses:
                rows += [*access.parts, access.guard]
            shape.digits = digits_for(shape, rows)
            position = tuple(ZERO if extent == 1 else Poly.atom(self.integers.variable(
                (name, "digit", at), f"{name}.thread.{at}", 0, extent - 1)) for at, extent in enumerate(shape.digits))
            spans = [Poly.number(extent) for extent in shape.digits]
        threads = {each: span for part, span in zip(position, spans, strict=True) for each in part.atoms()}
        return Side(name, written, blocks, threads, position)

    def run(self, context: Context, analysis: Analysis, shape: Shape, view: View) -> Written:
        kernel = lower(context.source, known_numbers(context))
        number = self.integers.encoder.number
        values: dict[str, Value] = {}
        own = {f"{Quantity.THREAD.value}.{axis}": at for at, axis in enumerate(AXES)} if shape.extents is not None else {}
        for name, term in context.values.items():
            if term.type.is_float:
                known = T.constant_value(term)
                values[name] = Node("scalar", term.type, (), name) if known is None else Node("const", term.type, (), known)
            elif name in own:
                values[name] = Row(shape, tuple(Poly.number(each[own[name]]) for each in shape.coordinates))
            else:
                value = number(term, view)
                values[name] = Row(shape, (P.neg(P.eq(value, ZERO)),)) if term.type == BOOL else Row(shape, (value,))
        symbolic: list[str] = []
        while True:
            block = GenericBlock(kernel, shape, self.integers, self.budget, symbolic)
            if _wraps_data(context):
                block.settled = frozenset()
            try:
                return block.run(dict(values))
            except Symbolic as error:
                symbolic.append(error.array)

    # -- one array -----------------------------------------------------------------------------------------------

    def show(self, array: str, weakest: EqualityClass) -> Shown:
        """The strongest class of an array that is shown, and not weaker than one."""
        readings = [laws for laws in READINGS if EqualityClass(laws.name).rank <= weakest.rank]
        try:
            for side in (self.cells.a, self.cells.b):
                self.cells.require_loads(side)
            pairs = None
            if any(is_updated(side, array) for side in (self.cells.a, self.cells.b)):
                readings = [laws for laws in readings if laws.ints]
            else:
                pairs = self.paired(array)
            if not readings:
                return Shown(None, f"additions to '{array}' in any order: no equality of every bit is looked for")
            weakest_reading = Reading(self, readings[-1])
            reason = weakest_reading.compare(array, pairs)
            for laws in readings[:-1] if reason is None else readings[:1]:
                reading = Reading(self, laws)
                if reading.compare(array, pairs) is None:
                    return Shown(EqualityClass(laws.name), proof=reading.proof, assumed=reading.assumed())
            if reason is not None:
                return Shown(None, reason)
            return Shown(EqualityClass(readings[-1].name), proof=weakest_reading.proof, assumed=weakest_reading.assumed())
        except CannotFollow as error:
            return Shown(None, told(error))

    def paired(self, array: str) -> list[tuple[Family, list[Match]]]:
        """The families of a with those of b that write the same cells; b writes no others."""
        a, b = (self.cells.families(side, array) for side in (self.cells.a, self.cells.b))
        found = [(one, self.cells.matches(one, b)) for one in a]
        for other in b:
            self.cells.matches(other, a)
        return found


def _wraps_data(context: Context) -> bool:
    """Whether integers made of data may wrap where they decide something."""
    return any(mode is Mode.EXACT and term.type.bits >= 32 and term.roles & T.Role.DATA for term, mode in context.modes.items())


def told(error: CannotFollow) -> str:
    return f"{error.reason} ({error.place})" if error.place is not None and error.place.file else error.reason


class Reading:
    """The values of a pair in one reading."""

    def __init__(self, pair: GenericPair, laws: Laws) -> None:
        self.pair, self.integers = pair, pair.integers
        self.algebra = Equality(pair.integers, laws)
        self.alignment = Alignment(pair.integers)
        self.proof: list[str] = []
        self.sides = {each.side.name: Evaluator(self.algebra, each) for each in pair.staged}
        self.infinities = [Infinities(side) for side in self.sides.values()]

    def compare(self, array: str, pairs: Sequence[tuple[Family, list[Match]]] | None) -> str | None:
        """None if all values are equal, else where one is not shown to be. `pairs`: of stores to one cell; None where cells are
        added to."""
        with deep():
            try:
                if pairs is None:
                    return self.added_up(array)
                for one, matches in pairs:
                    for match in matches:
                        reason = self.same(one, match)
                        if reason is not None:
                            return reason
            except CannotFollow as error:
                return told(error)
            except NotAffine:
                return "lanes that differ by more than a sum of products of their numbers"
        return None

    def added_up(self, array: str) -> str | None:
        """Whether any cell of an array holds the same in the end."""
        cell = Poly.atom(self.integers.variable(("cell", array), "cell", 0))
        sides = (self.pair.cells.a, self.pair.cells.b)
        kinds = {write.value.type for side in sides for write in side.written.writes if write.array == array}
        if len(kinds) != 1:
            return f"'{array}' holds several types"
        kind = kinds.pop()
        mine, yours = (Tallies(self.pair.cells, self.algebra, partial(self.value, self.sides[side.name])).content(
            side, array, kind, cell) for side in sides)
        for side, value in zip(sides, (mine, yours), strict=True):
            self.proof.append(f"{array}[cell], as {side.name} adds it up: {show(self.algebra, self.algebra.settled(value))}")
        if not all(self.are_of_something(side, {}, []) for side in sides):
            return "a maximum or minimum that may be of nothing is computed with"
        refused = self.refused()
        if refused is not None or self.algebra.vanishes(self.algebra.minus(mine, yours)):
            return refused
        told = [show(self.algebra, self.algebra.settled(value)) for value in (mine, yours)]
        return f"what is added up is not shown to be equal ({self.algebra.laws.name}): {told[0]} against {told[1]}"

    def same(self, one: Family, match: Match) -> str | None:
        """Whether a family and what the other side writes to its cells are equal: for a generic thread, or lane by lane."""
        try:
            return self.equal(one, match, {})
        except NotAffine:
            pass
        shape = one.side.written.shape
        if shape.extents is None:
            return self.in_parts(one, match, {}, 1)
        for lane in range(shape.lanes):
            if one.write.guard.of(lane) == P.FALSE:
                continue
            instead = {each: value for part, value in zip(one.position, shape.position_of(lane), strict=True)
                       for each in part.atoms()}
            reason = self.in_parts(one, match, instead, 1)
            if reason is not None:
                return reason
        return None

    def in_parts(self, one: Family, match: Match, instead: Mapping[Atom, Poly], parts: int) -> str | None:
        """The same, with a coordinate taken apart until the lanes of the other side are known by number."""
        try:
            return self.equal(one, match, instead)
        except NotAffine:
            pass
        found = self.part_of(match, instead)
        if found is None or parts * found[1] > MOST_PARTS:
            raise NotAffine
        each, by = found
        whole = self.integers.variable(("whole", each, by), f"{each.text} / {by}", 0)
        for rest in range(by):
            value = Poly.atom(whole).scale(by).plus(rest)
            more = {name: self.integers.put(held, {each: value}) for name, held in instead.items()} | {each: value}
            reason = self.in_parts(one, match, more, parts * by)
            if reason is not None:
                return reason
        return None

    def part_of(self, match: Match, instead: Mapping[Atom, Poly]) -> tuple[Atom, int] | None:
        """A free integer of one side, and by how much it has to be divided for a lane of the other to be a number."""
        for each in match.family.side.threads:
            value = self.integers.put(match.instead[each], instead)
            for atom in sorted(value.atoms()):
                made = self.integers.encoder.floors.get(atom)
                if made is None or made[1].constant is None:
                    continue
                for mono, coef in sorted(made[0].terms.items()):
                    if len(mono) == 1 and mono[0] not in self.integers.encoder.floors and made[1].constant % abs(coef) == 0:
                        return mono[0], made[1].constant // abs(coef)
        return None

    def equal(self, one: Family, match: Match, instead: Mapping[Atom, Poly]) -> str | None:
        """Whether a family and what the other side writes to its cells are equal. `instead`: what is known of its free
        integers."""
        instead = self.alignment.aligned(one, match, instead)
        put, formula = self.integers.put, self.integers.put_formula
        theirs = {each: put(value, instead) for each, value in match.instead.items()}
        other = match.family
        facts = [part for each in (one.guard, match.valid) for part in P.conjuncts(formula(each, instead))]
        if self.integers.never(facts):
            return None
        here, there = (tuple(put(part, known) for part in family.position) for family, known in ((one, instead), (other, theirs)))
        mine = self.algebra.put(self.value(self.sides[one.side.name], one.write, here), instead)
        yours = self.algebra.put(self.value(self.sides[other.side.name], other.write, there), theirs)
        self.tell(one, match, instead, (mine, yours))
        if not (self.are_of_something(one.side, instead, facts) and self.are_of_something(other.side, theirs, facts)):
            return "a maximum or minimum that may be of nothing is computed with"
        refused = self.refused()
        if refused is not None:
            return refused
        if mine == yours:
            return None
        with self.algebra.assuming(facts):
            rest = self.algebra.put(self.algebra.minus(mine, yours), self.alignment.quotients(self.algebra, [mine, yours], facts))
            if self.algebra.vanishes(rest):
                return None
        told = [show(self.algebra, self.algebra.settled(value)) for value in (mine, yours)]
        return (f"the values that {one.write.place} and {other.write.place} leave are not shown to be equal "
                f"({self.algebra.laws.name}): {told[0]} against {told[1]}")

    def tell(self, one: Family, match: Match, instead: Mapping[Atom, Poly], values: tuple[Form, Form]) -> None:
        """Note what is compared, for people: of many lanes or parts the first ones."""
        if len(self.proof) >= MOST_TOLD:
            return
        put, other = self.integers.put, match.family
        cell = put(one.index, instead)
        who = ", ".join(f"{each!r} = {put(value, instead)}" for each, value in match.instead.items())
        self.proof.append(f"{one.write.array}[{cell}]: {one.side.name} stores it at line {one.write.place.line}; "
                          f"{other.side.name} at line {other.write.place.line}, where {who or 'there is one thread'}")
        for side, value in zip((one.side, other.side), values, strict=True):
            self.proof.append(f"  {side.name}: {show(self.algebra, self.algebra.settled(value))}")

    def are_of_something(self, side: Side, instead: Mapping[Atom, Poly], facts: Sequence[Formula]) -> bool:
        """Whether the maxima and minima that a side computes with are of at least one value."""
        used = [self.algebra.put(self.algebra.of(self.algebra.factors[number]), instead)
                for number in self.sides[side.name].used]
        return all(self.algebra.is_of_something(form, facts) for form in used)

    def refused(self) -> str | None:
        """The operation of a side that an infinity may get into, if there is one."""
        return next((reason for each in self.infinities if (reason := each.refused()) is not None), None)

    def assumed(self) -> list[str]:
        """What is divided by that sizes may make zero."""
        found = {show(self.algebra, form): None for form in self.algebra.divisors if self.algebra.may_be_no_number(form)}
        return [f"no divisor is zero: {text}" for text in found]

    def value(self, side: Evaluator, write: Write, position: Position) -> Form:
        """What a store leaves: where tests on data do not all hold, what was there."""
        value = side.form(write.value, position)
        if write.tests:
            before = ZERO_FORM
            if write.update is None:
                before = self.algebra.of(self.algebra.read(write.array, write.value.type, write.index.at(position)))
            for test, positive in write.tests:
                held = side.form(test, position)
                value = side.choose(held, value, before) if positive else side.choose(held, before, value)
        return side.in_rounds(value, write.rounds)


@contextmanager
def deep() -> Iterator[None]:
    """Values stand in each other as deeply as kernels are long."""
    kept = sys.getrecursionlimit()
    sys.setrecursionlimit(max(kept, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(kept)


@passing("generic")
def show_all(pair: GenericPair, arrays: Sequence[str], weakest: EqualityClass) -> dict[str, Shown]:
    """The answer for each array."""
    return {array: pair.show(array, weakest) for array in arrays}


__all__ = ["GenericPair", "Shown", "in_range", "show_all"]
