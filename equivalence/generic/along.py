"""Recurrences that come to the same, though their rounds are cut otherwise: peeled, unrolled, with a rest, in tiles.

Input: a recurrence, whose state after k rounds is S(k), and a value. Output: the number k of rounds after which one of the
recurrence's parts is that value, where it is seen. Two loops leave the same if what one leaves is the other's state after as many
rounds as that one makes. This holds in every reading: in the bitwise one, sums that are added up in the same order are equal to
the bit, whether one loop goes through a row or tiles do.

A value is S(k) if it is
- a first value (k = 0), or what a few rounds make of the first values, or of another state that is known (k + 1, k + 2, …),
  which may be what other loops leave;
- one by a test: then so is k;
- what another loop leaves, by induction over its rounds r: what it begins with is S(c), and if it stands at S(q(r)) before its
  round r, where q(r) = c + p·r, it stands at S(q(r + 1)) behind it. It is enough to know that of the rounds that are followed by
  another one: so the last tile may be smaller. Inside of its round the state before it is one more that is known, which again
  may be what a loop begins with: a loop in a loop.

The step p is guessed, from what the loop's index grows by, and proved. S(k) is defined for every k >= 0, also for rounds that the
recurrence does not make; whether it makes k rounds is asked in the end, and it does not matter before. No position is negative:
0, sums of positions and numbers of rounds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.algebra import Algebra
from equivalence.generic.form import Factor, Form, Laws
from equivalence.generic.inside import inner_forms, inner_tests
from equivalence.generic.integers import CannotFollow, Integers

INTEGERS = frozenset({"size", "test"})
"""Factors that are made of integers alone, for which others may stand."""
MOST_PARTS = 4
"""Values that a recurrence carries together, of which it is tried which are which."""
MOST_PEELED = 4
"""Rounds that are put in for a value whose number of rounds is not guessed."""
MOST_STEP = 128
"""Rounds of one loop in one of another."""
MOST_LEVELS = 3
"""Loops in loops."""
MOST_ASKED = 100
"""Forms that are compared for two loops."""


@dataclass
class Course:
    """A recurrence. `ends`: the parts at the end of a round in terms of `holes`, by part; `known`: states of which it is known
    where they stand, the last one innermost."""

    number: Atom
    where: Formula
    firsts: tuple[Form, ...]
    ends: tuple[Form, ...]
    holes: dict[int, Factor]
    known: list[Stage] = field(default_factory=list)


@dataclass
class Stage:
    """A state that is known: its position, and what rounds make of it, as far as that was asked, under what held then."""

    at: Poly
    state: tuple[Form, ...]
    after: dict[tuple[Formula, ...], list[tuple[Form, ...]]] = field(default_factory=dict)


class Along(Algebra):
    """The question. `level`: how many loops stand in each other here; `compared`: forms so far, of two loops."""

    level = 0
    compared = 0
    shapes: dict[int, int]

    def __init__(self, integers: Integers, laws: Laws) -> None:
        super().__init__(integers, laws)
        self.shapes = {}

    @abstractmethod
    def vanishes(self, form: Form, cases: int = 5) -> bool: ...

    def runs_out(self, fold: Factor, value: Form) -> bool:
        """Whether a value is what a recurrence leaves."""
        if self.level >= MOST_LEVELS:
            return False
        self.compared = 0 if not self.level else self.compared
        self.level += 1
        try:
            course = self.course(fold)
            if any(map(self.tests_in, course.firsts)):
                return False
            at = self.position(course, [value], [0])
            return at is not None and self.integers.always(P.eq(at, self.integers.trip(course.where, course.number)), self.under)
        except CannotFollow:
            self.integers.mind_budget()
            return False
        finally:
            self.level -= 1

    def same_folds(self, one: Factor, two: Factor) -> bool:
        """Whether two recurrences leave the same."""
        return self.runs_out(one, self.of(two)) or self.runs_out(two, self.of(one))

    def outer_folds(self, form: Form) -> set[int]:
        """The recurrences in a form and its factors that stand in no other one."""
        found, seen = set[int](), set[int]()
        todo = [number for mono in form.terms for number, _ in mono]
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            if self.factors[number].kind == "fold":
                found.add(number)
            else:
                todo += [inner for part in inner_forms(self.factors[number]) for mono in part.terms for inner, _ in mono]
        return found

    def course(self, fold: Factor) -> Course:
        """A recurrence, with its first values as its one known state."""
        _, parts, where, number = fold.data
        where = P.conj(test for test in P.conjuncts(where) if test != P.le(Poly({}), Poly.atom(number)))
        firsts, ends = tuple(self.resolved(first) for first, _ in parts), tuple(end for _, end in parts)
        return Course(number, where, firsts, ends, self.holes_of(fold), [Stage(Poly({}), firsts)])

    def holes_of(self, fold: Factor) -> dict[int, Factor]:
        """What stands for its parts at the beginning of a round, as far as rounds use them."""
        _, parts, _, number = fold.data
        inside = (self.factors[each] for _, end in parts for each in self.all_inside(end))
        return {each.data[2]: each for each in inside
                if each.kind == "hole" and each.data[:2] == ("carried", self.depths[number])}

    # -- where a value stands ---------------------------------------------------------------------------------------

    def position(self, course: Course, values: Sequence[Form], parts: Sequence[int], guess: Poly | None = None) -> Poly | None:
        """After how many rounds some parts are these values, None where that is not seen. `guess`: how many rounds behind the
        state that was known last."""
        values = [self.resolved(value) for value in values]
        folds = [self.fold_of(value) for value in values]
        found = self.peeled(course, values, parts, None if any(folds) else guess, lambda one, two: one == two)
        if found is not None:
            return found
        tests = [number for value in values for number in self.tests_in(value)]
        if tests:
            return self.by_test(course, values, parts, guess, tests[0])
        if not any(folds):
            found = self.peeled(course, values, parts, guess, self.is_same)
            return self.resumed(course, values, parts) if found is None else found
        for value, part, fold in zip(values, parts, folds, strict=True):
            at = self.position(course, [value], [part]) if fold is None else self.behind(course, fold, part)
            if at is None or (found is not None and not self.integers.always(P.eq(at, found), self.under)):
                return None
            found = at if found is None else found
        return found

    def fold_of(self, value: Form) -> Factor | None:
        """The recurrence that a value is what it leaves of."""
        only = value.only()
        if only is None or only[1] != 1 or len(only[0]) != 1 or only[0][0][1] != 1:
            return None
        factor = self.factors[only[0][0][0]]
        return factor if factor.kind == "fold" else None

    def peeled(self, course: Course, values: Sequence[Form], parts: Sequence[int], guess: Poly | None,
               is_same: Callable[[Form, Form], bool]) -> Poly | None:
        """The position of what a few rounds make of a known state."""
        for stage in reversed(course.known):
            number = None if guess is None or stage is not course.known[-1] else guess.constant
            for by in [*range(MOST_PEELED + 1)] if number is None else [number, *range(MOST_PEELED + 1)]:
                state = self.state(course, stage, by)
                if all(is_same(value, state[part]) for value, part in zip(values, parts, strict=True)):
                    return stage.at.plus(by)
        return None

    def is_same(self, one: Form, two: Form) -> bool:
        """Whether two forms are equal that differ in integers alone; recurrences in them as they stand."""
        if self.built(one) != self.built(two):
            return False
        self.compared += 1
        if self.compared > MOST_ASKED:
            raise CannotFollow("too many rounds to be compared")
        kept, self.level = self.level, MOST_LEVELS
        try:
            return self.vanishes(self.minus(one, two))
        finally:
            self.level = kept

    def built(self, form: Form) -> int:
        """How a form is made of data, whichever elements and numbers those are."""
        parts = (tuple(sorted((self._built(number), power) for number, power in mono
                              if self.factors[number].kind not in INTEGERS)) for mono in form.terms)
        return hash(frozenset(part for part in parts if part))

    def _built(self, number: int) -> int:
        known = self.shapes.get(number)
        if known is None:
            factor = self.factors[number]
            what = factor.data[0] if factor.kind in ("read", "truth", "call") else factor.data if factor.kind == "hole" else ""
            known = self.shapes[number] = hash((factor.kind, what, *map(self.built, inner_forms(factor))))
        return known

    def resumed(self, course: Course, values: Sequence[Form], parts: Sequence[int]) -> Poly | None:
        """The position of what a few rounds make of what other loops leave."""
        states: dict[Poly, dict[int, Form]] = {}
        folds = sorted(set[int]().union(*map(self.outer_folds, values)))
        for number in folds if len(folds) <= MOST_PARTS else []:
            for part in range(len(course.firsts)):
                at = self.behind(course, self.factors[number], part)
                if at is not None:
                    states.setdefault(at, {})[part] = self.of(self.factors[number])
        for at, known in states.items():
            if len(known) == len(course.firsts):
                course.known.append(Stage(at, tuple(known[part] for part in range(len(known)))))
                try:
                    return self.peeled(course, values, parts, None, self.is_same)
                finally:
                    course.known.pop()
        return None

    def state(self, course: Course, stage: Stage, by: int) -> tuple[Form, ...]:
        """What some rounds make of a known state."""
        after = stage.after.setdefault(self.under, [stage.state])
        while len(after) <= by:
            at = {course.number: stage.at.plus(len(after) - 1)}
            before = {hole.number: after[-1][part] for part, hole in course.holes.items()}
            after.append(tuple(self.resolved(self.renamed(self.put(end, at), before)) for end in course.ends))
        return after[by]

    def by_test(self, course: Course, values: Sequence[Form], parts: Sequence[int], guess: Poly | None,
                number: int) -> Poly | None:
        """The position of values by a test, in both cases."""
        test, ways = self.factors[number].data, []
        for holds in (True, False):
            with self.assuming([test if holds else P.neg(test)]):
                found = self.position(course, [self.decided(value, {number: holds}) for value in values], parts, guess)
                if found is None:
                    return None
                ways.append(found)
        return self.integers.choice(test, *ways)

    # -- what another loop leaves ---------------------------------------------------------------------------------------

    def behind(self, course: Course, fold: Factor, part: int) -> Poly | None:
        """The position behind another loop."""
        other = self.course(fold)
        if len(other.firsts) > min(MOST_PARTS, len(course.firsts)):
            return None
        rest = [each for each in range(len(course.firsts)) if each != part]
        for more in permutations(rest, len(other.firsts) - 1):
            parts = (part, *more)
            if not self.are_alike(course, other, parts):
                continue
            for each in self.begun_later(other):
                begun = self.position(course, each.firsts, parts)
                found = None if begun is None else self.induction(course, each, parts, begun)
                if found is not None:
                    return found
        return None

    def begun_later(self, other: Course) -> Iterator[Course]:
        """A loop, and the same from its second round on, if it makes one."""
        yield other
        if self.integers.always(P.le(Poly.number(1), self.integers.trip(other.where, other.number)), self.under):
            later = {other.number: Poly.atom(other.number).plus(1)}
            yield Course(other.number, self.integers.put_formula(other.where, later), self.state(other, other.known[0], 1),
                         tuple(self.put(end, later) for end in other.ends), other.holes)

    def are_alike(self, course: Course, other: Course, parts: Sequence[int]) -> bool:
        """Whether the parts of another loop are of the types of those that they are taken for."""
        return all(course.holes[part].data[3] == other.holes[at].data[3]
                   for at, part in enumerate(parts) if at in other.holes and part in course.holes)

    def induction(self, course: Course, other: Course, parts: Sequence[int], begun: Poly) -> Poly | None:
        """The position behind all rounds of another loop that begins at one."""
        if self.level >= MOST_LEVELS:
            return None
        self.level += 1
        try:
            trips = self.integers.trip(other.where, other.number)
            turn = self.integers.variable(("along", self.level), "round", 0)
            where = self.integers.put_formula(other.where, {other.number: Poly.atom(turn)})
            for step in self.steps(other):
                if self.integers.always(P.le(Poly.number(1), step)):
                    found = self.stepped(course, other, parts, begun + step * Poly.atom(turn), step, (turn, where))
                    if found is True:
                        return begun + step * trips
                    if isinstance(found, Poly):
                        last = self.integers.put(found, {turn: trips.plus(-1)})
                        return self.integers.choice(P.le(Poly.number(1), trips), last, begun)
        finally:
            self.level -= 1
        return None

    def stepped(self, course: Course, other: Course, parts: Sequence[int], at: Poly, step: Poly,
                made: tuple[Atom, Formula]) -> Poly | bool:
        """Whether each round of another loop goes `step` rounds further, if it begins at `at`: True. If that is sure of those
        alone that are followed by another one: where a round ends. False else. `made`: the round, and when it is."""
        turn, where = made
        symbols = tuple(self.of(self.factor("hole", ("carried", -self.level, part, course.holes[part].data[3]
                                                     if part in course.holes else ""))) for part in range(len(course.firsts)))
        begin = {hole.number: symbols[parts[each]] for each, hole in other.holes.items()}
        with self.assuming([where]):
            course.known.append(Stage(self.chosen(at), symbols))
            try:
                ends = [self.renamed(self.put(end, {other.number: Poly.atom(turn)}), begin) for end in other.ends]
                found = self.position(course, ends, parts, step)
            finally:
                course.known.pop()
            if found is None:
                return False
            is_next = P.eq(found, at + step)
            if self.integers.always(is_next, self.under):
                return True
            after = self.integers.put_formula(where, {turn: Poly.atom(turn).plus(1)})
            return found if self.integers.always(is_next, [after, *self.under]) else False

    def chosen(self, at: Poly) -> Poly:
        """A position without the choices that are decided here."""
        for each in sorted(at.atoms()):
            made = self.integers.definitions.get(each)
            if made is not None and made.kind == "choice":
                for value, case in zip(made.parts, (made.test, P.neg(made.test)), strict=True):
                    if self.integers.always(case, self.under):
                        at = at.replace({each: value})
        return at

    def steps(self, other: Course) -> Iterator[Poly]:
        """By how much a round may go further: what its integers grow by, and small numbers."""
        seen: dict[Poly, None] = {}
        for each in sorted({number for end in other.ends for number in self.all_inside(end)}):
            factor = self.factors[each]
            indices = [factor.data[2]] if factor.kind == "read" else [Poly.atom(factor.data)] if factor.kind == "size" else []
            for value in [*indices, *(leaf.poly for leaf in P.relations(inner_tests(factor)))]:
                slope = value.coefficient(other.number)
                if len(slope.terms) == 1 and other.number not in slope.atoms():
                    (mono, coef), = slope.terms.items()
                    if abs(coef) <= MOST_STEP:
                        seen[Poly({mono: abs(coef)})] = None
        yield from sorted(seen, key=lambda step: (step.degree, step.terms.get((), 0), repr(step)))
        yield from (step for by in range(1, MOST_PEELED + 1) if (step := Poly.number(by)) not in seen)
