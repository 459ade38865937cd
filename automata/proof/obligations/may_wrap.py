"""What is asked about a value that may leave its type: whether it does, at any sizes or at small ones, and for which data.

Input: a context with what is decided of other values, a term, the guard under which it matters. Output: answers of solvers and of
intervals; nothing is decided here (`automata.proof.obligations.wraps`).

The idea: intervals first, where sizes are small. They follow remainders through products, of which solvers say nothing.
"""

from __future__ import annotations

from collections.abc import Set

from automata.arithmetic import highest
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY
from automata.logic.ladder import flattened
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Sat, Unsat
from automata.logic.terms import Term
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Observation
from automata.proof.known.sizes import Sizes
from automata.proof.symbolic.carried_data import small_data
from automata.proof.symbolic.observed_terms import (
    data_compared,
    divides,
    is_shift,
    outside,
    overflow_is_undefined,
    stripped,
)


class Questions:
    """`heads`: the symbols that number rounds, with when a thread comes to the head of the loop; `counted`: as locals count;
    `grown`: names of functions of the round that data alone make large."""

    def __init__(self, context: Context, heads: dict[Term, Term], counted: Set[Term], grown: Set[object]) -> None:
        self.context, self.heads, self.counted, self.grown = context, heads, counted, grown
        self.encoder = context.encoder()
        self.sizes = Sizes(context)

    def leaves(self, term: Term, value: Poly) -> bool:
        """Whether a value may leave its type as far as intervals tell."""
        low, high = self.encoder.interval(value)
        return low < term.type.low or high > term.type.high

    def ends(self, term: Term, value: Poly, guard: Formula) -> dict[str, Formula]:
        """The ends of its type that a value may leave it at."""
        kind = term.type
        found = {"below": P.lt(value, Poly.number(kind.low)), "above": P.lt(Poly.number(kind.high), value)}
        return {name: end for name, end in found.items()
                if not isinstance(self.context.ask([guard, end], self.encoder, model=False), Unsat)}

    def lost(self, term: Term, value: Poly) -> Formula:
        """That a value is not in its type, or of a left shift, that C says nothing of the result."""
        if not is_shift(term):
            return outside(term, value)
        if self.context.kernel.dialect == "opencl":
            return P.FALSE
        top, (base, by) = highest("<<", term.type), map(T.constant_value, term.args)
        if by is not None:
            return P.disj((P.lt(value, Poly.number(term.type.low)), P.lt(Poly.number(top), value)))
        distance = self.encoder.index(term.args[1], ONE)
        return P.disj(P.eq(distance, Poly.number(step)) for step in range(term.type.bits)
                      if base is not None and not term.type.low <= int(base) << step <= top)

    def leaves_when_small(self, term: Term, guard: Term, value: Poly) -> Answer:
        """Whether C says nothing of a value (`lost`) where a guard holds and sizes are small."""
        fits = self.fits_when_small(term, guard)
        return Unsat() if fits else self.at_small_sizes(term, guard, self.lost(term, value))

    def is_open(self, term: Term, value: Poly, site: Observation, small: Answer) -> bool:
        """Whether nobody says that signed arithmetic of a round overflows at small sizes, not even where products in its guard
        are any numbers, nor where parameters are the largest of the small ones, and some model says that it need not. What no
        model fits would be assumed of no run, and a wrap of unsigned numbers is what C says of them."""
        if isinstance(small, Sat) or not overflow_is_undefined(term, self.counted):
            return False
        guard = [flattened(part, self.encoder) for part in P.conjuncts(self.encoder.truth(site.guard, ONE))]
        sizes = [*divides(term, self.encoder), *self.sizes.small(term, site.guard, self.encoder)]
        leaves = (self.context.ask([*guard, self.lost(term, value), *sizes, *more], self.encoder, readable=False)
                  for more in ([], self.sizes.largest(term, site.guard, self.encoder)))
        fits = P.neg(outside(term, value))
        return not any(isinstance(answer, Sat) for answer in leaves) and any(
            isinstance(self.at_small_sizes(term, site.guard, P.conj((fits, *more))), Sat)
            for more in ([], self.sizes.least(term, site.guard, self.encoder)))

    def needs_large_data(self, term: Term, guard: Term, value: Poly) -> bool:
        """Whether signed arithmetic of a round overflows at small sizes only if data that the guard compares are large: it does
        where the guard holds for small data, too."""
        return (self.is_overflow(term) and bool(data_compared(guard))
                and not self.holds_for_small_data(term, guard, self.lost(term, value))
                and self.holds_for_small_data(term, guard, P.TRUE))

    def holds_for_small_data(self, term: Term, guard: Term, fact: Formula) -> bool:
        """Whether something may hold at small sizes of a value where those out of memory are small."""
        return not isinstance(self.at_small_sizes(term, guard, self.with_small_data(term, guard, fact), model=False), Unsat)

    def is_shown_for_small_data(self, term: Term, guard: Term, fact: Formula) -> bool:
        """Whether it does: what no solver says is assumed, as outside of loops."""
        return isinstance(self.at_small_sizes(term, guard, self.with_small_data(term, guard, fact)), Sat)

    def with_small_data(self, term: Term, guard: Term, fact: Formula) -> Formula:
        return P.conj((fact, *small_data(self.encoder, term, guard, self.grown)))

    def at_small_sizes(self, term: Term, guard: Term, leaves: Formula, *, readable: bool = False, model: bool = True) -> Answer:
        """Whether a value can leave its type where a guard holds, while every size and parameter that nothing bounds is small."""
        return self.context.ask([self.encoder.truth(guard, ONE), leaves, *divides(term, self.encoder),
                                 *self.sizes.small(term, guard, self.encoder)], self.encoder, readable=readable, model=model)

    def is_overflow(self, term: Term) -> bool:
        """Whether it is signed arithmetic of 32 bits or more, so that C says nothing where a value leaves its type."""
        return overflow_is_undefined(term, self.counted) and not is_shift(term) and term.type.bits >= 32

    def rests_on_assumed(self, term: Term) -> bool:
        """Whether signed arithmetic of a round adds to, or multiplies, a value of the round that is assumed to be in its type."""
        return (self.is_overflow(term) and term.op in ("+", "-", "*")
                and any(stripped(arg) in self.context.assumed for arg in term.args)
                and bool(self.heads.keys() & set(T.subterms(term))))

    def fits_when_small(self, term: Term, guard: Term, data: int | None = None) -> bool:
        """Whether intervals alone tell that a value stays in its type where a guard holds and sizes are small, and data no larger
        than is said."""
        low, high = self.sizes.spans(term, guard, self.encoder, self.heads, data).made(term)
        return not is_shift(term) and term.type.low <= low and high <= term.type.high

    def unbounded(self, value: Poly, guard: Term) -> list[Term]:
        """The sizes and parameters behind a value that nothing bounds where a guard holds."""
        names = set(value.atoms())
        for fact in self.encoder.closure(P.eq(value, Poly.number(0))):
            names |= P.atoms(fact)
        return [symbol for symbol in dict.fromkeys(symbol for symbol, _ in self.sizes.open_ends(guard))
                if self.encoder.number(symbol, ANY).atoms() & names and T.size_of(symbol) != "block"]
