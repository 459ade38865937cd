"""Two generic blocks in one reading: whether what they store to the same cells is the same.

Values are compared for a generic thread, whose coordinates are symbols; where lanes are not alike in its digits, in finer ones
(`finer`); and where that is not enough, lane by lane.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.atoms import HUGE
from automata.logic.poly import Formula, Poly
from equivalence.generic.alignment import Alignment
from equivalence.generic.cells import Cells, Family, Match, Side
from equivalence.generic.equality import Equality
from equivalence.generic.evaluate import Evaluator
from equivalence.generic.finer import Finer, finer
from equivalence.generic.form import Form, Laws
from equivalence.generic.infinities import Infinities
from equivalence.generic.integers import CannotFollow, Integers
from equivalence.generic.lanes import NotAffine, Position
from equivalence.generic.passed import Passed
from equivalence.generic.show import brief, show, show_atom, show_poly, show_test, threads_told
from equivalence.generic.staged import Staged
from equivalence.generic.tallies import Tallies
from equivalence.generic.values import Write
from equivalence.generic.zeros import Nonzero, conditions

MOST_PARTS = 4096
"""Parts into which a coordinate is taken to know lanes of the other side by number."""
DEEP = 20_000
MOST_TOLD = 40
"""Lines of a proof."""
NO_PLACE = "the place of a maximum or minimum that may be of nothing"
HOW_TO_READ = ("x/n is rounded down, x%n is what it leaves; a.round@9 is the number, from 0, of a round of a's loop at line 9; "
               "[test] is 1 where the test holds, else 0")


def told(error: CannotFollow) -> str:
    return f"{error.reason} ({error.place})" if error.place is not None and error.place.file else error.reason


@dataclass(frozen=True, slots=True)
class Block:
    """The generic block of one kernel. `passed`: what the kernels before it leave; `is_alone`: there are none on its side."""

    side: Side
    staged: Staged
    passed: Passed
    is_alone: bool


@dataclass
class Seen:
    """How values of both sides are seen. `sides`: what nodes are worth there, by names; `finer`: digits that are not those of
    the shapes."""

    sides: dict[str, Evaluator]
    infinities: list[Infinities]
    finer: Mapping[str, Finer]

    @classmethod
    def of(cls, algebra: Equality, kernels: Sequence[Block], finer: Mapping[str, Finer]) -> Seen:
        sides: dict[str, Evaluator] = {}
        for each in kernels:
            sides[each.side.name] = Evaluator(algebra, each.staged, each.passed, sides)
        return cls(sides, [Infinities(side) for side in sides.values()], finer)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Within, lanes' numbers are read in these digits."""
        with ExitStack() as stack:
            for name, each in self.finer.items():
                stack.enter_context(self.sides[name].shape.read_in(each.digits))
            yield

    def position(self, side: Side, instead: Mapping[Atom, Poly], integers: Integers) -> Position:
        """A thread of a side, in the digits of its shape, as it is seen."""
        there = tuple(integers.put(part, instead) for part in side.position)
        return self.finer[side.name].taken_apart(there, integers) if side.name in self.finer else there

    def refused(self) -> str | None:
        """The operation of a side that an infinity may get into, if there is one."""
        return next((reason for each in self.infinities if (reason := each.refused()) is not None), None)


class Reading:
    """The values of a pair in one reading. `kernels`: of both sides, in their order."""

    def __init__(self, cells: Cells, kernels: Sequence[Block], laws: Laws) -> None:
        self.cells, self.integers, self.kernels = cells, cells.integers, kernels
        self.algebra = Equality(self.integers, laws)
        self.alignment = Alignment(self.integers)
        self.proof: list[str] = []
        self.plain = Seen.of(self.algebra, kernels, {})
        self._finer: Seen | None = None

    def compare(self, array: str, pairs: Sequence[tuple[Family, list[Match]]] | None, sides: Sequence[Side]) -> str | None:
        """None if all values are equal, else where one is not shown to be. `pairs`: of stores to one cell; None where cells are
        added to, by kernels (`sides`) of both sides."""
        with deep():
            try:
                if pairs is None:
                    return self.added_up(array, sides)
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

    def added_up(self, array: str, sides: Sequence[Side]) -> str | None:
        """Whether any cell of an array holds the same in the end."""
        number = self.integers.variable(("cell", array), "cell", 0)
        self.integers.given.add(number)
        cell = Poly.atom(number)
        kinds = {write.value.type for side in sides for write in side.written.writes if write.array == array}
        if len(kinds) != 1:
            return f"'{array}' holds several types"
        kind = kinds.pop()
        mine, yours = (Tallies(self.cells, self.algebra, partial(self.value, self.plain.sides[side.name])).content(
            side, array, kind, cell) for side in sides)
        for side, value in zip(sides, (mine, yours), strict=True):
            self.proof.append(f"{array}[cell], as {side.name} adds it up: {show(self.algebra, self.algebra.settled(value))}")
        if not all(self.are_of_something(self.plain, side, {}, []) for side in sides):
            return "a maximum or minimum that may be of nothing is computed with"
        if not all(self.algebra.has_places(form, []) for form in (mine, yours)):
            return NO_PLACE
        refused = self.plain.refused()
        if refused is not None or self.algebra.vanishes(self.algebra.minus(mine, yours)):
            return refused
        told = [brief(self.algebra, self.algebra.settled(value)) for value in (mine, yours)]
        return f"what is added up is not shown to be equal ({self.algebra.laws.name}): {told[0]} against {told[1]}"

    def same(self, one: Family, match: Match) -> str | None:
        """Whether a family and what the other side writes to its cells are equal: for a generic thread, or lane by lane."""
        try:
            return self.equal(one, match, {})
        except NotAffine:
            pass
        try:
            return self.in_digits(one, match, {}, 1)
        except NotAffine:
            pass
        shape = one.side.written.shape
        try:
            reason = self.in_parts(one, match, {}, 1)
            if reason is None or shape.extents is None:
                return reason
        except NotAffine:
            if shape.extents is None:
                raise
        for lane in range(shape.lanes):
            if one.write.guard.of(lane) == P.FALSE:
                continue
            instead = {each: value for part, value in zip(one.position, shape.position_of(lane), strict=True)
                       for each in part.atoms()}
            reason = self.in_parts(one, match, instead, 1)
            if reason is not None:
                return reason
        return None

    def finer(self) -> Seen:
        """How values are seen in finer digits; NotAffine where there are none."""
        if self._finer is None:
            found = {each.side.name: digits for each in self.kernels if each.is_alone and not each.side.written.staged
                     and (digits := finer(each.side.written.shape, each.side.written.writes)) is not None}
            self._finer = Seen.of(self.algebra, self.kernels, found)
        if not self._finer.finer:
            raise NotAffine
        return self._finer

    def in_digits(self, one: Family, match: Match, instead: Mapping[Atom, Poly], parts: int) -> str | None:
        """The same in finer digits, for each value of those that decide which store a lane reads from."""
        seen = self.finer()
        positions = [seen.position(one.side, {}, self.integers), seen.position(match.family.side, match.instead, self.integers)]
        found = self.alignment.aligned(match.instead.values(), match.valid, instead,
                                       [part for position in positions for part in position])
        deciding = [position[axis] for side, position in zip((one.side, match.family.side), positions, strict=True)
                    if side.name in seen.finer for axis in seen.finer[side.name].deciding]
        free = next((each for part in deciding for each in sorted(self.integers.put(part, found).atoms())), None)
        if free is None:
            with seen.looking():
                return self.equal(one, match, found, seen)
        low, high = self.integers.encoder.intervals.get(free, HUGE)
        if (high - low + 1) * parts > MOST_PARTS:
            raise NotAffine
        for number in range(low, high + 1):
            known = {free: Poly.number(number)}
            more = {name: self.integers.put(held, known) for name, held in found.items()} | known
            reason = self.in_digits(one, match, more, parts * (high - low + 1))
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

    def equal(self, one: Family, match: Match, instead: Mapping[Atom, Poly], seen: Seen | None = None) -> str | None:
        """Whether a family and what the other side writes to its cells are equal. `instead`: what is known of its free
        integers; `seen`: how values are looked at."""
        seen = seen or self.plain
        instead = self.alignment.aligned(match.instead.values(), match.valid, instead)
        put, formula = self.integers.put, self.integers.put_formula
        theirs = {each: put(value, instead) for each, value in match.instead.items()}
        other = match.family
        facts = [part for each in (one.guard, match.valid) for part in P.conjuncts(formula(each, instead))]
        if self.integers.never(facts):
            return None
        here, there = seen.position(one.side, instead, self.integers), seen.position(other.side, theirs, self.integers)
        mine = self.algebra.put(self.value(seen.sides[one.side.name], one.write, here), instead)
        yours = self.algebra.put(self.value(seen.sides[other.side.name], other.write, there), theirs)
        self.tell(one, match, instead, (mine, yours))
        return self.judged((mine, yours), [(one.side, instead), (other.side, theirs)], facts, seen,
                           f"the values that {one.write.place} and {other.write.place} leave")

    def judged(self, values: tuple[Form, Form], sides: Sequence[tuple[Side, Mapping[Atom, Poly]]], facts: Sequence[Formula],
               seen: Seen, what: str) -> str | None:
        """None if two values are equal where facts hold, else why that is not shown. `sides`: of which they are, with what is
        known of their free integers; `what`: what the values are, for people."""
        mine, yours = values
        if not all(self.are_of_something(seen, side, known, facts) for side, known in sides):
            return "a maximum or minimum that may be of nothing is computed with"
        if not all(self.algebra.has_places(form, facts) for form in values):
            return NO_PLACE
        refused = seen.refused()
        if refused is not None:
            return refused
        if mine == yours:
            return None
        with self.algebra.assuming(facts):
            rest = self.algebra.put(self.algebra.minus(mine, yours), self.alignment.quotients(self.algebra, [mine, yours], facts))
            if self.algebra.vanishes(rest):
                return None
        told = [brief(self.algebra, self.algebra.settled(value)) for value in (mine, yours)]
        return f"{what} are not shown to be equal ({self.algebra.laws.name}): {told[0]} against {told[1]}"

    def tell(self, one: Family, match: Match, instead: Mapping[Atom, Poly], values: tuple[Form, Form]) -> None:
        """Note what is compared, for people: of many lanes or parts the first ones."""
        if len(self.proof) > MOST_TOLD:
            return
        if len(self.proof) == MOST_TOLD:
            self.proof.append("… and other stores in the same way")
            return
        put, other, floors = self.integers.put, match.family, self.integers.encoder.floors
        if not self.proof:
            self.proof.append(HOW_TO_READ)
            self.proof += [threads_told(side.name, side.written.shape.digits) for side in (one.side, other.side)
                           if side.written.shape.extents is not None]
        where = P.conj(P.conjuncts(self.integers.put_formula(one.guard, instead)))
        who = ", ".join(f"{show_atom(floors, each)} = {show_poly(floors, put(value, instead))}"
                        for each, value in match.instead.items())
        self.proof.append(f"{one.write.array}[{show_poly(floors, put(one.index, instead))}]: {one.side.name} stores it at line "
                          f"{one.write.place.line}; {other.side.name} at line {other.write.place.line}, where "
                          f"{who or 'there is one thread'}")
        self.proof.append(f"  for {show_test(floors, where)}")
        for side, value in zip((one.side, other.side), values, strict=True):
            self.proof.append(f"  {side.name}: {show(self.algebra, self.algebra.settled(value))}")

    def are_of_something(self, seen: Seen, side: Side, instead: Mapping[Atom, Poly], facts: Sequence[Formula]) -> bool:
        """Whether the maxima and minima that a side computes with are of at least one value."""
        of_side = [seen.sides[each.side.name] for each in self.kernels if each.side.of == side.of]
        used = [self.algebra.put(self.algebra.of(self.algebra.factors[number]), instead)
                for evaluator in of_side for number in evaluator.used]
        return all(self.algebra.is_of_something(form, facts) for form in used)

    def assumed(self) -> list[str]:
        """What is divided by that sizes may make zero."""
        found = {show(self.algebra, form): None for form in self.algebra.divisors if self.algebra.may_be_no_number(form)}
        return [f"no divisor is zero: {text}" for text in found]

    def conditions(self) -> list[Nonzero]:
        """Under which nothing is divided by zero that sizes alone make."""
        return conditions(self.algebra)

    def value(self, side: Evaluator, write: Write, position: Position) -> Form:
        """What a store leaves."""
        if write.tests and write.array in side.passed.arrays:
            raise CannotFollow("data decide whether what a kernel before has stored stays", write.place)
        return side.in_rounds(side.stored_value(write, position), write.rounds)


@contextmanager
def deep() -> Iterator[None]:
    """Values stand in each other as deeply as kernels are long."""
    kept = sys.getrecursionlimit()
    sys.setrecursionlimit(max(kept, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(kept)
