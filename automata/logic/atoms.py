"""The atoms of some queries, and what is known of each.

An atom is an integer unknown of the solvers: a size, a coordinate, a quotient, the value of a read. Facts
about it hold whenever it is used, so a query takes along just those its formulas reach.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic.atom import EVERYBODY, Atom, Whose, atom
from automata.logic.poly import Formula, Monomial, Poly, divided
from automata.logic.samples import Samples
from automata.logic.terms import Term
from automata.logic.views import Application, Function, View
from automata.scalar import Scalar

Interval = tuple[int, int]
Ties = dict[tuple[Poly, Monomial, Interval, Interval], tuple[Formula, ...]]
"""What a factor says of its product with others, by both and their bounds."""
MOST_TURNS = 3
"""So often further facts are asked for about the atoms of further facts."""
HUGE: Interval = (-(1 << 200), 1 << 200)
"""The bounds of an atom of which none are known: a number, so every atom has to keep within it, or to have bounds of its own."""


def interval_of(value: Poly, bounds: Callable[[Atom], Interval]) -> Interval:
    """Numeric bounds of a polynomial from those of its atoms."""
    low = high = 0
    for mono, coef in value.terms.items():
        least, most = scaled(mono, coef, bounds)
        low, high = low + least, high + most
    return low, high


def scaled(mono: Monomial, coef: int, bounds: Callable[[Atom], Interval]) -> Interval:
    """The bounds of a coefficient times some atoms."""
    low = high = coef
    for each in mono:
        a, b = bounds(each)
        corners = low * a, low * b, high * a, high * b
        low, high = min(corners), max(corners)
    return low, high


@dataclass
class Atoms:
    """What is known of the atoms of some queries. `facts`: what holds of an atom or proposition; `intervals`: its numeric bounds;
    `applications`: the function of others that it is, if it is one; `floors`: what is divided by what; `roots`: of those of C's
    `/`, towards zero, what is divided by what where no quotient is left inside, which is the same of all ways to write one;
    `spans`: bounds of a sum without its constant; `products`: bounds of products that all queries require; `made`: what was made
    of polynomials. `further`: what holds of some atoms together, kept in `instances`; `origins`: of elements of arrays as they
    were at first, which term seen by whom; `ties`: what factors say of products, and `flat`: formulas with products as variables,
    as queries have made them; `moving`: integers that belong to nobody and still are no sizes;
    `samples`: models of queries.
    """

    facts: dict[Atom, list[Formula]] = field(default_factory=dict)
    intervals: dict[Atom, Interval] = field(default_factory=dict)
    applications: dict[Atom, Application] = field(default_factory=dict)
    floors: dict[Atom, tuple[Poly, Poly]] = field(default_factory=dict)
    roots: dict[Atom, tuple[Poly, Poly]] = field(default_factory=dict)
    spans: dict[Poly, Interval] = field(default_factory=dict)
    products: dict[Monomial, Interval] = field(default_factory=dict)
    further: Callable[..., Iterable[Formula]] | None = None
    origins: dict[Atom, tuple[Term, View]] = field(default_factory=dict)
    instances: dict[Hashable, Formula] = field(default_factory=dict)
    views: int = 0
    ties: Ties = field(default_factory=dict)
    flat: dict[Formula, Formula] = field(default_factory=dict)
    made: dict[tuple[Hashable, tuple[Poly, ...]], Atom] = field(default_factory=dict)
    moving: set[Atom] = field(default_factory=set)
    samples: Samples = field(default_factory=Samples)

    def made_of(self, key: Hashable, text: str, parts: tuple[Poly, ...], whose: Whose = EVERYBODY) -> Atom:
        """The atom for something made of polynomials: the same for the same key, owner and parts. It belongs to all that own
        an atom in the parts. `text`: for people."""
        entry = ((key, whose), parts)
        if entry not in self.made:
            inner = {part for value in parts for part in value.atoms()}
            self.made[entry] = atom((key, parts), f"{text}#{len(self.made)}", whose, sorted(inner))
            if not inner.isdisjoint(self.moving):
                self.moving.add(self.made[entry])
        return self.made[entry]

    def fresh(self) -> int:
        """A number no view of this encoder has had yet."""
        self.views += 1
        return self.views

    def interval(self, value: Poly) -> Interval:
        """Numeric bounds of a polynomial, its own or from the bounds of its atoms."""
        low, high = interval_of(value, self._of_factor)
        if self.products and value.degree > 1:
            parts = [self._of_product(mono, coef) for mono, coef in value.terms.items()]
            low, high = sum(least for least, _ in parts), sum(most for _, most in parts)
        if self.spans and len(value.terms) > 1:
            constant = value.terms.get((), 0)
            least, most = self.spans.get(value.plus(-constant), (low - constant, high - constant))
            low, high = max(low, least + constant), min(high, most + constant)
        return low, high

    def _of_product(self, mono: Monomial, coef: int) -> Interval:
        """The bounds of a coefficient times some atoms, of which some together may have bounds of their own."""
        low, high = scaled(mono, coef, self._of_factor)
        for part, ends in self.products.items():
            if len(part) > 1 and (rest := divided(mono, part)) is not None:
                corners = [coef * end * other for end in ends for other in (self._of_product(rest, 1) if rest else (1,))]
                low, high = max(low, min(corners)), min(high, max(corners))
        return low, high

    def _of_factor(self, each: Atom) -> Interval:
        (low, high), (least, most) = self.intervals.get(each, HUGE), self.products.get((each,), HUGE)
        return max(low, least), min(high, most)

    def bound_products(self, required: Iterable[Formula]) -> None:
        """Note the bounds that all queries require of products, one formula after another as they are made: what a long product
        is may hang on what is known of a short one, as `a * b * c` does not wrap in 64 bits where `a * b` is an int."""
        for leaf in (part for formula in required for part in P.conjuncts(formula)):
            if isinstance(leaf, P.Rel) and leaf.sign == "<=":
                constant = leaf.poly.terms.get((), 0)
                value = leaf.poly.plus(-constant)
                if len(value.terms) == 1:
                    self._bound_product(value, -constant)

    def _bound_product(self, value: Poly, most: int) -> None:
        """Note that a product, times some number, is at most another; of one atom, for its products."""
        (mono, coef), = value.terms.items()
        low, high = self._of_product(mono, 1)
        self.products[mono] = (low, min(high, most // coef)) if coef > 0 else (max(low, -(most // -coef)), high)

    def spanning(self, value: Poly, bounds: Interval) -> Poly:
        """A polynomial of which it is known that it lies within bounds."""
        constant = value.terms.get((), 0)
        self.spans[value.plus(-constant)] = bounds[0] - constant, bounds[1] - constant
        return value

    def closure(self, formula: Formula) -> list[Formula]:
        """All facts about the atoms of a formula, and about the atoms of those facts."""
        found: list[Formula] = []
        seen: set[Atom] = set()
        self._close(sorted(P.atoms(formula)), seen, found)
        told: set[Formula] = set()
        for _ in range(MOST_TURNS if self.further is not None else 0):
            fresh = [fact for fact in self.further(self, seen) if fact not in told] if self.further is not None else []
            found += fresh
            told.update(fresh)
            self._close(sorted({each for fact in fresh for each in P.atoms(fact)} - seen), seen, found)
            if not fresh:
                break
        return found

    def _close(self, todo: list[Atom], seen: set[Atom], found: list[Formula]) -> None:
        """Add the facts about atoms, and about the atoms of those facts."""
        while todo:
            each = todo.pop()
            if each in seen:
                continue
            seen.add(each)
            for fact in self.facts.get(each, []):
                found.append(fact)
                todo.extend(sorted(P.atoms(fact)))
            if each in self.applications:
                for arg in self.applications[each].args:
                    todo.extend(sorted(arg.atoms()))

    def known(self, each: Atom, interval: Interval) -> Poly:
        """An atom as a polynomial; its bounds become facts when it is new here."""
        value = Poly.atom(each)
        if each not in self.facts:
            self.facts[each] = []
            self.intervals[each] = interval
            if interval != HUGE:
                self.facts[each] += [P.le(Poly.number(interval[0]), value), P.le(value, Poly.number(interval[1]))]
        return value

    def add(self, each: Atom, facts: Iterable[Formula]) -> None:
        """More that holds of an atom."""
        known = self.facts[each]
        known += [fact for fact in dict.fromkeys(facts) if fact not in known]

    def turns(self, each: Atom, value: Poly, kind: Scalar) -> Poly:
        """How many times 2^bits is taken away from a value that is reduced to its type. They may be beyond HUGE, where many
        rounds multiply it before: 1664525^11 * n is beyond 2^200 though n is not."""
        low, high = self.interval(value)
        bounds = (low - kind.high) >> kind.bits, (high - kind.low) >> kind.bits
        if bounds[0] < HUGE[0] or bounds[1] > HUGE[1]:
            self.intervals[each] = bounds
        return Poly.atom(each)

    def apply(self, function: Function, args: tuple[Poly, ...], interval: Interval) -> Poly:
        """An uninterpreted function of some integers, as an atom."""
        each = self.made_of(function, function.array or function.op, args, function.whose)
        self.applications[each] = Application(function, args)
        return self.known(each, interval)

    def choice(self, each: Atom, test: Formula, then: Poly, other: Poly) -> Poly:
        """`test ? then : other` as that atom."""
        if test == P.TRUE or then == other:
            return then
        if test == P.FALSE:
            return other
        (a, b), (c, d) = self.interval(then), self.interval(other)
        if each not in self.facts:
            value = self.known(each, HUGE)
            self.intervals[each] = (min(a, c), max(b, d))
            self.facts[each] += [P.implies(test, P.eq(value, then)), P.implies(P.neg(test), P.eq(value, other))]
        return Poly.atom(each)

    def floor_quotient(self, value: Poly, size: Poly) -> Poly:
        """floor(value / size) for a positive size; nothing is known where the size is not positive."""
        if size == Poly.number(1):
            return value
        if value.constant is not None and (size.constant or 0) > 0:
            return Poly.number(value.constant // (size.constant or 1))
        each = self.made_of("floor", "floor", (value, size))
        if each not in self.facts:
            part = self.known(each, HUGE)
            self.floors[each] = value, size
            low, high = self.interval(value)
            if low >= 0:
                self.intervals[each] = (0, high)
            elif low < HUGE[0] or high > HUGE[1]:
                self.intervals[each] = (low, max(high, 0))
            rest = value - size * part
            self.facts[each].append(P.implies(P.lt(Poly.number(0), size),
                                              P.conj((P.le(Poly.number(0), rest), P.lt(rest, size)))))
        return Poly.atom(each)

    def is_floor(self, each: Atom) -> bool:
        """Whether an atom is a quotient rounded down, and not towards zero as C's of what may be negative are."""
        return each in self.floors and (each not in self.roots or self.interval(self.floors[each][0])[0] >= 0)

    def nested(self, value: Poly, size: Poly) -> tuple[Poly, Poly] | None:
        """What is divided, and by what, where a value is a quotient itself and sizes divide; None for others."""
        each = next(iter(value.atoms()), None)
        inner = self.floors.get(each) if each is not None and value == Poly.atom(each) and self.is_floor(each) else None
        return None if inner is None or (size.constant is not None and inner[1].constant is not None) else inner

    def note_nested(self, above: Poly, size: Poly, left: Poly, step: Poly) -> None:
        """What a quotient by s·t has to do with one by s, of positive s and t: floor(v / (s·t)) = floor(floor(v / s) / t).
        `above`: the first, if it is an atom; `size`: s·t; `left`: the second; `step`: t."""
        each = next(iter(above.atoms()), None)
        if each in self.floors and above == Poly.atom(each):
            rest = left - step * above
            fact = P.implies(P.conj((P.lt(Poly.number(0), size), P.lt(Poly.number(0), step))),
                             P.conj((P.le(Poly.number(0), rest), P.lt(rest, step))))
            self.add(each, [fact])
