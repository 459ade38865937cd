"""How one query is decided: the cheapest rung that can first.

1. peel (`injective`): a sum of strides that cannot meet itself, without a solver;
2. no products of unknowns: linear integer arithmetic;
3. products: every monomial becomes a variable, tied to its factors by sign lemmas; unsat is a proof,
   sat is only a candidate; again with lemmas about sums of nested strides (`radix`), where there are some;
4. that candidate, with some factors of each product fixed at its numbers (`candidates`);
5. products again, for real: z3 with a short limit, then at small sizes, where a model is easy to find and
   pleasant to read, then z3 and cvc5, each with its time limit.

Where nobody reads the model, models of earlier queries are tried before all of them (`samples`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd
from typing import assert_never

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom, atom
from automata.logic.atoms import Interval, scaled
from automata.logic.candidates import confirmed, fitting
from automata.logic.inversion import digits, strides_of
from automata.logic.poly import Formula, Monomial, Poly, divided
from automata.logic.propagation import FAR, narrowed
from automata.logic.radix import radix_lemmas, sign_lemmas
from automata.logic.samples import Sample
from automata.logic.smt import Answer, Sat, Solver, Unknown, Unsat, solve
from automata.logic.views import Function
from automata.passes import passing

CANDIDATE = "the linearised query has a candidate model"
MAX_LEMMAS, ALL_LEMMAS = 400, 4000
"""About products, of a query: at first, and where a sum of nested strides needs more to come apart."""
MAX_COFACTORS = 8
PATIENT = 8
"""Times longer than other rungs: what says how a sum of nested strides comes apart mostly decides, and is followed by search."""
MOST_FACTORS = 64
"""Of a product that the solvers for products are asked about: on longer ones they take no notice of any limit."""
LEAST = 10
"""Milliseconds that a rung may take, however little time there is."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Milliseconds that each rung may take."""

    linear: int = 5000
    linearised: int = 3000
    nonlinear: int = 1000
    first: int = 300

    @property
    def rungs(self) -> tuple[int, ...]:
        return self.linear, self.linearised, self.nonlinear, self.first

    def are_within(self, others: tuple[int, ...]) -> bool:
        """Whether no rung has more time than with other limits."""
        return all(mine <= its for mine, its in zip(self.rungs, others, strict=True))

    def within(self, most: int | None) -> Limits:
        """No rung longer than so many milliseconds; at least LEAST each. Limits are few, so that what was done before, to a hair,
        does not decide how a search goes."""
        if most is None:
            return self
        most = max(1 << most.bit_length() >> 1, LEAST)
        return Limits(*(min(limit, most) for limit in self.rungs))


@dataclass
class Query:
    """A conjunction over an encoder's atoms; its facts are added by themselves.

    `small`: tiers of extra bounds that make a model readable, tried in order before none.
    """

    formulas: Sequence[Formula]
    encoder: Encoder
    small: Sequence[Formula] = ()

    def complete(self) -> list[Formula]:
        """The formulas and every fact about their atoms; FALSE alone if one is false."""
        goal = P.conj(self.formulas)
        if goal == P.FALSE:
            return [P.FALSE]
        return [goal, *self.encoder.closure(goal)]


def _came_to(answer: Answer) -> str:
    match answer:
        case Unsat(rung=rung):
            return f"none ({rung})"
        case Sat():
            return "a model"
        case Unknown():
            return "open"
    assert_never(answer)


@passing("decide", _came_to)
def decide(query: Query, limits: Limits | None = None, *, model: bool = True) -> Answer:
    """The answer to a query, remembered by its encoder. With `model` False a candidate that no rung confirms is Unknown early."""
    limits = limits or Limits()
    formulas = query.complete()
    if formulas[0] == P.FALSE:
        return Unsat("simplified")
    asked = (*formulas, None, *query.small, model)
    known, allowed = query.encoder.answers.get(asked, (None, ()))
    if known is None or (isinstance(known, Unknown) and known.reason != CANDIDATE and not limits.are_within(allowed)):
        known = _decided(query, formulas, limits) if model else _decided_alone(query, formulas, limits)
        query.encoder.answers[asked] = known, limits.rungs
    return known


def _decided_alone(query: Query, formulas: list[Formula], limits: Limits) -> Answer:
    """The answer where nobody reads the model: any that fits will do, and what is found is kept for the next query."""
    encoder = query.encoder
    if encoder.applications:
        return _decided(query, formulas, limits, model=False)
    known = encoder.samples.fitting(formulas)
    if known is not None:
        return Sat(known.values)
    answer = _decided(query, formulas, limits, model=False)
    if isinstance(answer, Sat):
        encoder.samples.keep(Sample(answer.model, encoder))
    return answer


def _decided(query: Query, formulas: list[Formula], limits: Limits, *, model: bool = True) -> Answer:
    bounds = narrowed(formulas, query.encoder.intervals)
    if bounds is None:
        return Unsat("intervals")
    applications = query.encoder.applications
    if max((leaf.poly.degree for leaf in P.relations(formulas)), default=0) <= 1:
        answer = solve(formulas, applications, milliseconds=limits.linear, is_linear=True)
        return _smallest(query, answer, limits) if isinstance(answer, Sat) and model else answer
    formulas_and_bounds = [*formulas, *_products(formulas, bounds)]
    answer = solve(linearise(formulas_and_bounds, query.encoder), {}, milliseconds=limits.linearised, is_linear=True)
    if isinstance(answer, Unsat):
        return Unsat("linearised")
    lemmas = radix_lemmas(formulas, query.encoder)
    with query.encoder.proving() as proves:
        lemmas += sign_lemmas(formulas, query.encoder, proves) if proves is not None else []
    if lemmas:
        patience = PATIENT if model or isinstance(answer, Sat) else 1
        if _comes_apart([*formulas_and_bounds, *lemmas], query.encoder, patience * limits.linearised):
            return Unsat("mixed radix")
    if not model:
        return _model_of(answer, formulas, query.encoder, limits) if isinstance(answer, Sat) else answer
    found = confirmed(formulas, applications, answer, limits.first) if isinstance(answer, Sat) and not query.small else None
    if found is None and max((leaf.poly.degree for leaf in P.relations(formulas)), default=0) > MOST_FACTORS:
        return Unknown(f"products of more than {MOST_FACTORS} sizes")
    return found or _nonlinear(query, formulas, limits)


def _model_of(candidate: Sat, formulas: list[Formula], encoder: Encoder, limits: Limits) -> Answer:
    """What a candidate comes to where nobody reads the model: a model, where one is found that later queries may use."""
    if not encoder.applications and encoder.samples.is_worth_more:
        encoder.samples.tried += 1
        found = fitting(formulas, candidate, encoder.intervals, limits.first)
        if found is not None:
            encoder.samples.found += 1
            return found
    return Unknown(CANDIDATE)


def _comes_apart(formulas: list[Formula], encoder: Encoder, milliseconds: int) -> bool:
    """Whether nothing fits formulas with lemmas about nested strides: with few lemmas about products, then with all, where few
    leave a candidate."""
    few = linearise(formulas, encoder)
    answer = solve(few, {}, milliseconds=milliseconds, is_linear=True)
    if isinstance(answer, Sat):
        many = linearise(formulas, encoder, ALL_LEMMAS)
        answer = solve(many, {}, milliseconds=milliseconds, is_linear=True) if len(many) > len(few) else answer
    return isinstance(answer, Unsat)


def _nonlinear(query: Query, formulas: list[Formula], limits: Limits) -> Answer:
    applications = query.encoder.applications
    first = solve(formulas, applications, milliseconds=limits.first)
    if isinstance(first, Unsat):
        return Unsat("z3, non-linear")
    small = _smallest(query, first, limits)
    if isinstance(small, Sat):
        return small
    reasons = []
    either: tuple[Solver, ...] = "z3", "cvc5"
    for solver in either:
        answer = solve(formulas, applications, milliseconds=limits.nonlinear, solver=solver)
        if isinstance(answer, Unsat):
            return Unsat(f"{solver}, non-linear")
        if isinstance(answer, Sat):
            return answer
        reasons.append(answer.reason)
    return Unknown("products of sizes: " + "; ".join(reasons))


def _products(formulas: list[Formula], bounds: Callable[[Atom], Interval]) -> list[Formula]:
    """The bounds of products that follow from those of their factors."""
    found: dict[Formula, None] = {}
    for mono in sorted({mono for leaf in P.relations(formulas) for mono in leaf.poly.terms if len(mono) > 1}):
        low, high = scaled(mono, 1, bounds)
        product = Poly({mono: 1})
        if low > -FAR:
            found[P.le(Poly.number(low), product)] = None
        if high < FAR:
            found[P.le(product, Poly.number(high))] = None
    return list(found)


def _smallest(query: Query, otherwise: Answer, limits: Limits) -> Answer:
    """A model within the first tier of small bounds that has one, else `otherwise`."""
    for tier in query.small:
        bounded = Query([*query.formulas, tier], query.encoder).complete()
        answer = solve(bounded, query.encoder.applications, milliseconds=limits.nonlinear)
        if isinstance(answer, Sat):
            return answer
    return otherwise


# -- rung 3 -------------------------------------------------------------------------------------


def linearise(formulas: list[Formula], encoder: Encoder, most: int = MAX_LEMMAS) -> list[Formula]:
    """The formulas with monomials as variables, plus lemmas (about so many at most); implied by the originals' truth.

    Uninterpreted functions become plain variables with congruence left out, which only weakens.
    """
    polys = {leaf.poly for leaf in P.relations(formulas)}
    lemmas: dict[Formula, None] = {}
    pending = sorted(polys, key=Poly.key)
    known = set(pending)
    while pending and len(lemmas) < most:
        value = pending.pop(0)
        for stride in sorted(_strides(value)):
            for factor in _factors(value, stride, encoder):
                _tie(factor, stride, encoder, lemmas)
                if factor.degree > 1 and factor not in known:
                    known.add(factor)
                    pending.append(factor)
    for stride, cofactors in _cofactors(polys).items():
        for left, right in combinations(cofactors[:MAX_COFACTORS], 2):
            _tie(Poly({left: 1}) - Poly({right: 1}), stride, encoder, lemmas)
        for single in cofactors[:MAX_COFACTORS]:
            _tie(Poly({single: 1}), stride, encoder, lemmas)
    lemmas |= dict.fromkeys(_times_sizes(polys))
    congruences = _congruences(P.conj([*formulas, *lemmas]), encoder)
    return [flattened(formula, encoder) for formula in [*formulas, *lemmas, *congruences]]


def flattened(formula: Formula, encoder: Encoder) -> Formula:
    """A formula with monomials as variables; of most formulas an earlier query has made it."""
    if formula not in encoder.flat:
        encoder.flat[formula] = P.map_polys(formula, _flatten)
    return encoder.flat[formula]


def _strides(value: Poly) -> set[Monomial]:
    """By what non-linear monomials are grouped: sizes where there are any, each and all together."""
    return {stride for mono in value.terms for stride in _strides_of(mono)}


def _strides_of(mono: Monomial) -> list[Monomial]:
    if len(mono) < 2:
        return []
    sizes = tuple(each for each in mono if not each.owners)
    together = [sizes] if 1 < len(sizes) < len(mono) else []
    return [(each,) for each in sorted(set(sizes or mono))] + together


def _factors(value: Poly, stride: Monomial, encoder: Encoder) -> list[Poly]:
    """What a value multiplies a stride by. What is left of something divided by the stride is no multiple of it: also without
    the quotients of such remainders."""
    found = value.coefficient(*stride)
    size = Poly({stride: 1})
    whole = Poly({mono: coef for mono, coef in found.terms.items()
                  if len(mono) != 1 or mono[0] not in encoder.floors or encoder.floors[mono[0]][1] != size})
    both = [found] if whole == found else [found, whole]
    return list(dict.fromkeys([*both, *map(primitive, both)]))


def primitive(value: Poly) -> Poly:
    """A value without the number that divides all of it: from one on, a multiple of it is at least that number."""
    by = gcd(*value.terms.values())
    return Poly({mono: coef // by for mono, coef in value.terms.items()}) if by > 1 else value


def _cofactors(polys: Iterable[Poly]) -> Mapping[Monomial, list[Monomial]]:
    """For each stride, the monomials it multiplies."""
    found: dict[Monomial, dict[Monomial, None]] = {}
    for value in sorted(polys, key=Poly.key):
        for mono in value.terms:
            for stride in _strides_of(mono):
                found.setdefault(stride, {})[divided(mono, stride) or ()] = None
    of_sizes = sorted({mono for value in polys for mono in value.terms
                       if len(mono) > 2 and not any(each.owners for each in mono)})
    for stride, cofactors in found.items():
        if len(stride) > 1:
            cofactors |= {left: None for mono in of_sizes if (left := divided(mono, stride))}
    return {stride: list(cofactors) for stride, cofactors in found.items()}


def _times_sizes(polys: Set[Poly]) -> Iterator[Formula]:
    """p·s <= 0 where p <= 0 and s is not negative, for what the query says of p, and sizes by which it multiplies all terms of p
    elsewhere: so row <= plane·h + h - 2 says something of row·w, for the cell of a plane, its row and column."""
    known = {mono for value in polys for mono in value.terms}
    sizes = sorted({each for mono in known if len(mono) > 1 for each in mono if not each.owners})
    for value in sorted((value for value in polys if 2 < len(value.terms) <= MAX_COFACTORS), key=Poly.key):
        for each in sizes:
            if all(tuple(sorted((*mono, each))) in known for mono in value.terms if mono):
                size, zero = Poly.atom(each), Poly.number(0)
                yield P.implies(P.conj((P.le(zero, size), P.le(value, zero))), P.le(value * size, zero))


SMALL_FACTOR = 64
"""Factors up to which bound a product from above by a multiple of the stride."""


def _tie(factor: Poly, stride: Monomial, encoder: Encoder, lemmas: dict[Formula, None]) -> None:
    """What the sign of `factor` says about factor·stride; the same again and again in the queries of one kernel."""
    if factor.constant is not None:
        return
    size = Poly({stride: 1})
    bounds, ends = encoder.interval(factor), encoder.interval(size)
    key = factor, stride, bounds, ends
    if key not in encoder.ties:
        encoder.ties[key] = tuple(_ties(factor, size, bounds, ends))
    lemmas.update(dict.fromkeys(encoder.ties[key]))


def _ties(factor: Poly, size: Poly, bounds: Interval, ends: Interval) -> Iterator[Formula]:
    """The same, from the bounds of both."""
    product = factor * size
    zero, one = Poly.number(0), Poly.number(1)
    (low, high), (least, most) = bounds, ends
    for sign, may_be in ((1, most >= 1), (-1, least <= -1)):
        if not may_be:
            continue
        length = size.scale(sign)
        guard: Formula = P.TRUE if sign > 0 and least >= 0 else P.le(zero, length)
        signed = product.scale(sign)
        if high >= 1:
            yield P.implies(P.conj((guard, P.le(one, factor))), P.le(length, signed))
        if low <= -1:
            yield P.implies(P.conj((guard, P.le(factor, one.scale(-1)))), P.le(signed, length.scale(-1)))
        if 1 <= high <= SMALL_FACTOR:
            yield P.implies(guard, P.le(signed, length.scale(high)))
    if low <= 0 <= high:
        yield P.implies(P.eq(factor, zero), P.eq(product, zero))


def _congruences(formula: Formula, encoder: Encoder) -> list[Formula]:
    """Equal arguments, equal value: for pairs of applications of one function that are used."""
    used: dict[Function, list[Atom]] = {}
    for each in sorted(P.atoms(formula)):
        application = encoder.applications.get(each)
        if application is not None:
            used.setdefault(application.function, []).append(each)
    found: list[Formula] = []
    for function, group in used.items():
        for left, right in combinations(group, 2):
            first, second = encoder.applications[left], encoder.applications[right]
            if len(first.args) == len(second.args):
                same = P.conj(P.eq(a, b) for a, b in zip(first.args, second.args, strict=True))
                result = (P.conj((P.implies(P.Prop(left), P.Prop(right)), P.implies(P.Prop(right), P.Prop(left))))
                          if function.is_truth else P.eq(Poly.atom(left), Poly.atom(right)))
                found.append(P.implies(same, result))
            if function.op == "^":
                found += _exclusive_or(left, right, first.args, second.args)
    return found


def _exclusive_or(one: Atom, two: Atom, first: tuple[Poly, ...], second: tuple[Poly, ...]) -> list[Formula]:
    """v = x ^ s and w = y ^ s with one s: if v is y, w is x; if v is w, x is y."""
    v, w = Poly.atom(one), Poly.atom(two)
    found = []
    for at, other in product((0, 1), (0, 1)):
        if first[at] == second[other]:
            x, y = first[1 - at], second[1 - other]
            found += [P.implies(P.eq(v, y), P.eq(w, x)), P.implies(P.eq(w, x), P.eq(v, y)), P.implies(P.eq(v, w), P.eq(x, y))]
    return found


def _flatten(value: Poly) -> Poly:
    return Poly({mono if len(mono) < 2 else (_product_of(mono),): coef for mono, coef in value.terms.items()})


def _product_of(mono: Monomial) -> Atom:
    """A product as one atom."""
    return atom(("product", mono), "·".join(each.text for each in mono), parts=mono)


# -- rung 1 -------------------------------------------------------------------------------------


def injective(index: Poly, spans: Mapping[Atom, Poly], encoder: Encoder, owner: str) -> bool:
    """Whether distinct values of the atoms in `spans` (0 <= atom < span) give distinct indices.

    Sorts the index's terms by stride: each stride must exceed the span of all smaller ones together.
    Sizes stay symbolic; guards are ignored. False means only: not shown this way. `owner`: the thread
    that the atoms belong to; one that is no coordinate (a quotient, a read) is not understood.
    """
    if any(owner in each.owners and each not in spans for each in index.atoms()):
        return False
    strides = strides_of(index, set(spans))
    return strides is not None and len(strides) == len(spans) and digits(strides, spans, encoder) is not None
