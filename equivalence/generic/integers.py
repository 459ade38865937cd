"""Integers that sizes decide: indices, bounds and tests of one generic block, as polynomials.

Input: values of a kernel's integer operations. Output: polynomials over the atoms of one encoder (sizes, coordinates, rounds of
loops, and what is made of them: quotients, choices, elements of arrays of integers). An atom that is made of others remembers
how (`Definition`), so that a value can be seen from elsewhere: another block, another round (`put`).

They are read as mathematical integers. That no value of a kernel wraps that reaches an index, a test or an address is what the
check of the kernel has shown or states as an assumption; kernels that rely on wrap-around are refused before (`gate`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from automata.budget import METER, UNLIMITED, Budget
from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom, atom
from automata.logic.atoms import HUGE
from automata.logic.ladder import Limits, Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.radix import quotient_shown
from automata.logic.smt import Unsat
from automata.logic.views import Function
from automata.place import Place
from automata.scalar import Scalar
from equivalence.generic.bounds import without_common

ZERO, ONE = Poly.number(0), Poly.number(1)
SHORT = Limits(linear=1000, linearised=600, nonlinear=150, first=80)
PROOF_IS_LATE = "the time for this proof is up"
"""A longer time limit gives it no more."""


class CannotFollow(Exception):
    """A construct that this way of comparing does not follow; carries the reason and its place."""

    def __init__(self, reason: str, place: Place | None = None) -> None:
        super().__init__(reason)
        self.reason, self.place = reason, place


class Ratio(Poly):
    """A polynomial over a number: what stands for an atom all of whose coefficients are multiples of that number."""

    __slots__ = ("by",)

    def __init__(self, value: Poly, by: int) -> None:
        super().__init__(value.terms)
        self.by = by

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.by == other.by and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((self.by, frozenset(self.terms.items())))


@dataclass(frozen=True, slots=True)
class Definition:
    """How an atom is made: `kind` floor (of value, size), choice (test, then, other), read (array, type; index), trip (test of a
    loop in its round)."""

    kind: str
    of: Any
    parts: tuple[Poly, ...] = ()
    test: Formula = P.TRUE


@dataclass
class Integers:
    """What is known of the integers of a comparison. `required`: of sizes, by both sides; `definitions`: of atoms made here;
    `budget`: of the comparison; `written`: sizes as multiples of others; `firm`: quotients
    of sizes that are not negative, which are floors; `of_element`: what is required of an element of an array; `given`: the free
    integers that say which cell is asked about; `under`: what holds wherever something is asked now."""

    encoder: Encoder
    required: list[Formula]
    budget: Budget = UNLIMITED
    definitions: dict[Atom, Definition] = field(default_factory=dict)
    written: dict[Atom, Poly] = field(default_factory=dict)
    firm: frozenset[Atom] = frozenset()
    of_element: Callable[[str, Poly], list[Formula]] = lambda array, value: []
    given: set[Atom] = field(default_factory=set)
    under: tuple[Formula, ...] = ()
    _within: dict[Atom, frozenset[Atom]] = field(default_factory=dict)
    _answers: dict[tuple[Formula, ...], bool] = field(default_factory=dict)
    _floors: dict[tuple[Poly, Poly], Poly] = field(default_factory=dict)
    _floors_under: dict[tuple[Formula, ...], dict[tuple[Poly, Poly], Poly]] = field(default_factory=dict)

    # -- atoms --------------------------------------------------------------------------------------

    def variable(self, key: object, text: str, low: int | None = None, high: int | None = None, *, is_size: bool = False) -> Atom:
        """A free integer: a round of a loop, a bound name, a part of a coordinate."""
        each = atom((id(self), "generic", key), text)
        if not is_size:
            self.encoder.moving.add(each)
        if each not in self.encoder.facts:
            self.encoder.known(each, HUGE)
            value = Poly.atom(each)
            facts = self.encoder.facts[each]
            if low is not None:
                facts.append(P.le(Poly.number(low), value))
            if high is not None:
                facts.append(P.le(value, Poly.number(high)))
            self.encoder.intervals[each] = (HUGE[0] if low is None else low, HUGE[1] if high is None else high)
        return each

    def within(self, each: Atom) -> frozenset[Atom]:
        """The atom and all that it is made of."""
        known = self._within.get(each)
        if known is None:
            found = {each}
            made = self.definitions.get(each)
            if made is not None:
                for part in made.parts:
                    found.update(*(self.within(inner) for inner in part.atoms()))
                found.update(*(self.within(inner) for inner in P.atoms(made.test)))
            elif each in self.encoder.floors:
                for part in self.encoder.floors[each]:
                    found.update(*(self.within(inner) for inner in part.atoms()))
            known = self._within[each] = frozenset(found)
        return known

    def depends(self, value: Poly, on: Atom) -> bool:
        """Whether a value has to do with an atom."""
        return any(on in self.within(each) for each in value.atoms())

    def formula_depends(self, formula: Formula, on: Atom) -> bool:
        return any(on in self.within(each) for each in P.atoms(formula))

    def floor(self, value: Poly, size: Poly) -> Poly:
        """floor(value / size) of a positive size."""
        number = size.constant
        if number is not None and number > 0:
            return self._by_number(value, number)
        if size.terms == value.terms:
            return ONE
        if (value, size) not in self._floors:
            whole, by = without_common(value, size)
            digits = self._above(whole, by) if self.under else None
            self._floors[value, size] = self._quotient(whole, by) if digits is None else digits
        return self._floors[value, size]

    def _by_number(self, value: Poly, number: int) -> Poly:
        """The same of a number: what it divides comes out."""
        whole = {mono: coef // number for mono, coef in value.terms.items() if mono and not coef % number}
        rest = {mono: coef for mono, coef in value.terms.items() if mono not in whole}
        if rest.get((), 0):
            whole[()], rest[()] = divmod(rest[()], number)
        low, high = self.encoder.interval(Poly(rest))
        if low >= 0 and high < number:
            return Poly(whole)
        if number == 2 and rest.pop((), 0):
            return Poly(whole) + Poly(rest) - self._by_number(Poly(rest), number)  # of two neighbours one is even
        return Poly(whole) + self._quotient(Poly(rest), Poly.number(number))

    def _quotient(self, value: Poly, size: Poly) -> Poly:
        """The same as an atom."""
        inner = self.encoder.nested(value, size)
        if inner is not None and all(self.always(P.le(ONE, each)) for each in (size, inner[1])):
            result = self.floor(inner[0], inner[1] * size)
            self.encoder.note_nested(result, inner[1] * size, value, size)
            return result
        result = self.encoder.floor_quotient(value, size)
        for each in result.atoms():
            self.definitions.setdefault(each, Definition("floor", None, (value, size)))
        return result

    def _above(self, value: Poly, size: Poly) -> Poly | None:
        """The quotient of a sum of digits times strides by a stride, where what is assumed shows that they are digits."""
        return quotient_shown(value, size, self.encoder, self.always)

    @contextmanager
    def assuming(self, *formulas: Formula) -> Iterator[None]:
        """What is made and asked in here counts only where formulas hold: they are among those of each question."""
        kept, self.under = (self.under, self._floors), (*self.under, *formulas)
        self._floors = self._floors_under.setdefault(self.under, {})
        before, self.encoder.shows = self.encoder.shows, self.always
        try:
            yield
        finally:
            (self.under, self._floors), self.encoder.shows = kept, before

    def choice(self, test: Formula, then: Poly, other: Poly) -> Poly:
        """test ? then : other"""
        if test == P.TRUE or then == other:
            return then
        if test == P.FALSE:
            return other
        each = self.encoder.made_of((id(self), "choice", test), "choice", (then, other))
        value = self.encoder.choice(each, test, then, other)
        self.definitions.setdefault(each, Definition("choice", None, (then, other), test))
        return value

    def read(self, array: str, kind: Scalar, index: Poly) -> Poly:
        """An element of an array of integers that nobody writes."""
        value = self.encoder.apply(Function("read", "initial", array=array), (index,), (kind.low, kind.high))
        for each in value.atoms() - self.definitions.keys():
            self.definitions[each] = Definition("read", (array, kind), (index,))
            self.encoder.facts.setdefault(each, []).extend(self.of_element(array, Poly.atom(each)))
        return value

    def trip(self, test: Formula, number: Atom) -> Poly:
        """How many rounds a loop makes whose round `number` is made if `test` holds: the first number for which it does
        not. A test that fails stays so. CannotFollow unless there is such a number for all sizes: nothing else may be
        said of it."""
        if not self._ends(test, number):
            raise CannotFollow("a loop of which it is not sure that it ends")
        plain = self._plain_trip(test, number)
        if plain is not None:
            return plain
        bound = self.variable("trip", "round")
        bare = self.put_formula(test, {number: Poly.atom(bound)})
        each = self.encoder.made_of((id(self), "trip", bare), "rounds", ())
        if each not in self.encoder.facts:
            value = self.encoder.known(each, HUGE)
            self.encoder.intervals[each] = (0, HUGE[1])
            self.definitions[each] = Definition("trip", bound, (), bare)
            last = self.put_formula(test, {number: value.plus(-1)})
            self.encoder.facts[each] += [P.le(ZERO, value), P.neg(self.put_formula(test, {number: value})),
                                         P.implies(P.le(ONE, value), last)]
        return Poly.atom(each)

    def _plain_trip(self, test: Formula, number: Atom) -> Poly | None:
        """The rounds of a test step·number + first <= 0, where there are none less than none: a quotient."""
        if not isinstance(test, P.Rel) or test.sign != "<=":
            return None
        step = test.poly.coefficient(number).constant
        first = test.poly.replace({number: ZERO})
        if not step or step < 0 or self.depends(first, number) or not self.always(P.le(first, Poly.number(step))):
            return None
        return self.floor(Poly.number(step) - first, Poly.number(step))

    def _ends(self, test: Formula, number: Atom) -> bool:
        """Whether a test fails for large numbers: every way in it holds a `p <= 0` whose p rises with each."""
        match test:
            case P.Rel(sign="<=", poly=poly):
                slope = poly.coefficient(number)
                inside = [each for each in poly.atoms() if each != number and number in self.within(each)]
                return not inside and number not in slope.atoms() and self.always(P.le(ONE, slope))
            case P.And(args=args):
                return any(self._ends(arg, number) for arg in args)
            case P.Or(args=args):
                return all(self._ends(arg, number) for arg in args)
        return test == P.FALSE

    # -- seen from elsewhere --------------------------------------------------------------------------

    def put(self, value: Poly, instead: Mapping[Atom, Poly]) -> Poly:
        """The value with other values in the place of some atoms, inside of what is made of them too."""
        found = {}
        for each in value.atoms():
            if each in instead:
                found[each] = instead[each]
            elif not self.within(each).isdisjoint(instead):
                found[each] = self._made_again(each, instead)
        for each, part in list(found.items()):
            if isinstance(part, Ratio):
                del found[each]
                slope, base = value.coefficient(each), value.replace({each: ZERO})
                assert each not in slope.atoms() and all(coef % part.by == 0 for coef in slope.terms.values())
                value = base + Poly({mono: coef // part.by for mono, coef in slope.terms.items()}) * Poly(part.terms)
        return value.replace(found) if found else value

    def _made_again(self, each: Atom, instead: Mapping[Atom, Poly]) -> Poly:
        made = self.definitions.get(each)
        if made is None:
            value, size = self.encoder.floors[each]
            if each in self.encoder.roots and each not in self.firm:
                raise CannotFollow("a quotient of a requirement")
            return self.floor(self.put(value, instead), self.put(size, instead))
        parts = [self.put(part, instead) for part in made.parts]
        match made.kind:
            case "floor":
                return self.floor(parts[0], parts[1])
            case "choice":
                return self.choice(self.put_formula(made.test, instead), parts[0], parts[1])
            case "read":
                array, kind = made.of
                return self.read(array, kind, parts[0])
            case "trip":
                bound = made.of
                assert isinstance(bound, Atom)
                return self.trip(self.put_formula(made.test, instead), bound)
        raise AssertionError(made.kind)

    def remade(self, value: Poly) -> Poly:
        """The value with its quotients made again, of which what is assumed now may say more than when they were made."""
        floors = {each: self.encoder.floors[each] for each in value.atoms() & self.encoder.floors.keys()
                  if each not in self.encoder.roots}
        if not floors:
            return value
        return value.replace({each: self.floor(self.remade(whole), self.remade(size)) for each, (whole, size) in floors.items()})

    def put_formula(self, formula: Formula, instead: Mapping[Atom, Poly]) -> Formula:
        if all(self.within(each).isdisjoint(instead) for each in P.atoms(formula)):
            return formula
        return P.map_polys(formula, lambda value: self.put(value, instead))

    # -- questions --------------------------------------------------------------------------------------

    def never(self, formulas: Sequence[Formula], limits: Limits = SHORT) -> bool:
        """Whether formulas never hold together, under what is required of sizes."""
        goal = P.conj((*formulas, *self.under))
        if goal == P.FALSE or _clash(P.conjuncts(goal)):
            return True
        key = (goal,)
        if key not in self._answers:
            self.mind_budget()
            query = Query([goal, *self.required], self.encoder)
            self._answers[key] = isinstance(decide(query, limits, model=False), Unsat)
        return self._answers[key]

    def ended(self, formula: Formula, known: Sequence[Formula]) -> dict[Atom, Poly]:
        """The integer that is at its end where a relation holds: n <= 1, where n >= 1 is known."""
        if isinstance(formula, P.Rel) and formula.sign == "<=":
            for each in sorted(formula.poly.atoms()):
                slope, rest = formula.poly.coefficient(each).constant, formula.poly.replace({each: ZERO})
                if slope in (1, -1) and not self.depends(rest, each):
                    value = rest.scale(-slope)
                    if self.never([*known, formula, P.neg(P.eq(Poly.atom(each), value))]):
                        return {each: value}
        return {}

    def reduced(self, formula: Formula) -> Formula:
        """An equation without the sizes that all of it is a multiple of and that are positive."""
        if not isinstance(formula, P.Rel) or formula.sign != "==" or () in formula.poly.terms:
            return formula
        value = formula.poly
        for each in sorted(value.atoms()):
            while value.terms and all(each in mono for mono in value.terms) and self.always(P.le(ONE, Poly.atom(each))):
                value = value.coefficient(each)
        return P.eq(value, ZERO)

    @cached_property
    def pinned(self) -> dict[Atom, int]:
        """The sizes that requirements bound to one number from both sides."""
        low, high = dict[Atom, int](), dict[Atom, int]()
        for part in (each for whole in self.required for each in P.conjuncts(whole)):
            if isinstance(part, P.Rel) and part.sign == "<=" and len(part.poly.atoms()) == 1:
                (each,) = part.poly.atoms()
                end = part.poly.terms.get((), 0)
                if part.poly == Poly.atom(each) + Poly.number(end):
                    high[each] = min(-end, high.get(each, -end))
                elif part.poly == Poly.number(end) - Poly.atom(each):
                    low[each] = max(end, low.get(each, end))
        return {each: value for each, value in low.items() if high.get(each) == value}

    def require(self, required: list[Formula]) -> None:
        """Put other formulas in the place of what is required."""
        self.required = required
        self.forget()

    def forget(self) -> None:
        """Forget what was asked."""
        self._answers.clear()

    def rewritten(self, value: Poly) -> Poly:
        return self.put(value, self.written) if self.written else value

    @cached_property
    def stated(self) -> dict[Atom, Poly]:
        """The sizes of grids that are required to be a polynomial of others, as gridDim.z of planes."""
        found: dict[Atom, Poly] = {}
        for part in self.required:
            if isinstance(part, P.Rel) and part.sign == "==":
                for each in sorted(each for each in part.poly.atoms() if each.is_size):
                    slope, rest = part.poly.coefficient(each).constant, part.poly.replace({each: ZERO}).replace(found)
                    if slope in (1, -1) and each not in found and not self.depends(rest, each):
                        found = {name: value.replace({each: rest.scale(-slope)}) for name, value in found.items()}
                        found[each] = rest.scale(-slope)
                        break
        return found

    def without_quotient(self, formula: Formula) -> Formula | None:
        """The same said of what is divided, of a relation in which one quotient by sizes stands alone: floor(v / s) <= m if
        v < (m + 1)·s, and floor(v / s) >= m if v >= m·s, for a positive s. None where there is none."""
        if not isinstance(formula, P.Rel) or formula.sign != "<=":
            return None
        for each in sorted(formula.poly.atoms() & self.encoder.floors.keys()):
            value, size = self.encoder.floors[each]
            slope, rest = formula.poly.coefficient(each).constant, formula.poly.replace({each: ZERO})
            if slope not in (1, -1) or size.constant is not None or self.depends(rest, each) or not (
                    self.encoder.is_floor(each) and self.always(P.le(ONE, size))):
                continue
            rest = rest.replace(self.stated)
            return P.lt(value, (ONE - rest) * size) if slope == 1 else P.le(rest * size, value)
        return None

    def mind_budget(self, work: int = 0) -> None:
        """CannotFollow where the budget is spent; `work`: nanoseconds that have been worked."""
        METER.done += work
        if self.budget.is_spent:
            raise CannotFollow(PROOF_IS_LATE)

    def always(self, formula: Formula, under: Sequence[Formula] = ()) -> bool:
        """Whether a formula holds wherever others do."""
        if formula == P.TRUE:
            return True
        return self.never([*under, P.neg(formula)])


def _clash(parts: Sequence[Formula]) -> bool:
    """Whether two of some relations say p <= 0 and q <= 0 of integers that add up to a positive number."""
    least: dict[frozenset[tuple[tuple[Atom, ...], int]], int] = {}
    for part in parts:
        if isinstance(part, P.Rel) and part.sign == "<=":
            terms = dict(part.poly.terms)
            constant = terms.pop((), 0)
            key = frozenset(terms.items())
            least[key] = max(constant, least.get(key, constant))
    return any(constant + least.get(frozenset((mono, -coef) for mono, coef in key), -constant) > 0
               for key, constant in least.items())
