"""What is divided by that sizes alone make, and at which of them it is zero.

Input: the divisors of a reading (`algebra.divisors`). Output: a condition for each that may be zero where requirements are met.
Two quotients that are equal as functions of the reals say nothing of a size at which their divisor is zero: there one kernel may
leave NaN and the other a number. So such a size is looked for by the solvers, and run; and a condition on sizes and arguments
alone belongs to the scope of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY
from automata.logic.atom import Atom
from automata.logic.ladder import Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Sat
from automata.logic.terms import Term
from automata.logic.views import atom_of
from automata.proof.known.concrete import derive, derived_symbols
from automata.proof.known.context import Context, small_tiers
from automata.proof.known.evaluation import Evaluation
from equivalence.generic.equality import Equality
from equivalence.generic.form import Form
from equivalence.generic.integers import SHORT, ZERO, Integers
from equivalence.generic.show import show_poly

LARGER = 64
"""By so much arguments are also taken larger than a model has them."""


@dataclass(frozen=True, slots=True)
class Nonzero:
    """That a divisor is not zero. `zero`: that it is; `atoms`: what it is made of; `is_of_sizes`: nothing but sizes and arguments
    stand in it."""

    text: str
    zero: Formula
    atoms: frozenset[Atom] = field(repr=False)
    is_of_sizes: bool
    integers: Integers = field(repr=False, compare=False)

    def launches(self, contexts: Sequence[Context]) -> Iterator[dict[str, int]]:
        """Sizes and arguments at which the divisor is zero, if the solvers find any; what they leave open is 1. They are not
        asked for a guard of the thread or round that makes it zero, so arguments that are not in it are also taken larger."""
        terms = {str(term): term for context in contexts for term in context.symbols()}
        first = self._sizes(contexts, terms, [])
        if first is None:
            return
        yield first
        free = [name for name, term in terms.items() if name in first and not T.size_of(term)
                and not self._value(term).atoms() & self.atoms]
        if free and not self.is_of_sizes:
            larger = [P.le(Poly.number(first[name] + LARGER), self._value(terms[name])) for name in free]
            if (second := self._sizes(contexts, terms, larger)) is not None:
                yield second

    def _value(self, term: Term) -> Poly:
        return self.integers.written.get(each := atom_of(term, ANY), Poly.atom(each))

    def _sizes(self, contexts: Sequence[Context], terms: Mapping[str, Term], wanted: list[Formula]) -> dict[str, int] | None:
        encoder = self.integers.encoder
        query = Query([self.zero, *wanted, *self.integers.required], encoder, small_tiers(list(terms.values()), encoder))
        answer = decide(query, SHORT)
        if not isinstance(answer, Sat):
            return None
        found = dict[str, int]()
        for name, term in terms.items():
            value = self._value(term)
            known = value.replace({inner: Poly.number(answer.model[inner]) for inner in value.atoms() if inner in answer.model})
            if known.constant is not None:
                found[name] = known.constant
        derived = derived_symbols(contexts)
        found |= {name: 1 for name in terms if name not in found and name not in derived}
        derive({name: Evaluation(term) for name, term in derived.items()}, found)
        return found


def conditions(algebra: Equality) -> list[Nonzero]:
    """The conditions under which nothing is divided by zero that sizes alone make, each once."""
    found: dict[Formula, Nonzero] = {}
    for form in algebra.divisors:
        for value in _factors(algebra, form):
            zero = P.eq(value, ZERO)
            if zero not in found and not algebra.integers.never([zero]):
                is_of_sizes = all(_is_known(algebra.integers, each) for each in value.atoms())
                text = _told(algebra.integers, value)
                found[zero] = Nonzero(text, zero, frozenset(value.atoms()), is_of_sizes, algebra.integers)
    return list(found.values())


def _factors(algebra: Equality, form: Form) -> list[Poly]:
    """Integers such that the form is zero where one of them is: the form itself, or sizes that all its terms have as a factor."""
    value = _integer(algebra, form)
    if value is not None:
        return [] if value.constant is not None else [value]
    monos = [dict(mono) for mono in form.terms]
    shared = [number for number, power in (monos[0] if monos else {}).items()
              if power > 0 and all(mono.get(number, 0) > 0 for mono in monos)]
    return [Poly.atom(algebra.factors[number].data) for number in shared if algebra.factors[number].kind == "size"]


def _integer(algebra: Equality, form: Form) -> Poly | None:
    """The form as a polynomial over sizes, if it is one."""
    terms = {}
    for mono, coef in form.terms.items():
        if coef != int(coef) or any(algebra.factors[number].kind != "size" or power < 0 or power != int(power)
                                    for number, power in mono):
            return None
        terms[tuple(sorted(algebra.factors[number].data for number, power in mono for _ in range(int(power))))] = int(coef)
    return Poly(terms)


def _is_known(integers: Integers, each: Atom) -> bool:
    """Whether an integer is made of sizes and arguments alone, or is one of those written as a multiple."""
    multiples = {inner for value in integers.written.values() for inner in value.atoms()}
    return all(inner in multiples or (inner.symbol is not None and not inner.owners) or inner in integers.encoder.floors
               for inner in integers.within(each))


def _told(integers: Integers, value: Poly) -> str:
    """That an integer is not zero, as people write it: n != 500 for n - 500."""
    rest = dict(value.terms)
    number = rest.pop((), 0)
    if len(rest) == 1 and abs(next(iter(rest.values()))) == 1:
        sign = next(iter(rest.values()))
        return f"{show_poly(integers.encoder.floors, Poly(rest).scale(sign))} != {-number * sign}"
    return f"{show_poly(integers.encoder.floors, value)} != 0"


def merged(*groups: list[Nonzero]) -> list[Nonzero]:
    """Several lists as one, each condition once."""
    found: Mapping[str, Nonzero] = {each.text: each for group in groups for each in group}
    return list(found.values())
