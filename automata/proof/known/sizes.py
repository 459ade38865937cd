"""Which sizes and parameters nothing bounds, and how they are taken to be small.

A value that wraps only at sizes which nobody bounds is assumed not to. Input: the requirements of a launch and a guard under
which a value matters. Output: formulas that keep small what neither bounds; the limit of a value as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from automata.lang.core import Quantity
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, Mode, View
from automata.logic.atom import Atom
from automata.logic.ladder import Limits
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Term
from automata.logic.views import atom_of
from automata.proof.known.context import ONE, Context
from automata.proof.known.spans import Spans
from automata.scalar import I64

SMALL_DIMENSION, SMALL_SCALAR, LARGEST = 1024, 4096, 16**12
SMALL_PRODUCT = SMALL_SCALAR**2
"""A product of sizes is small up to here, of however many."""
FARTHER, WIDE, NEAR = 1 << 24, (1 << 31) - 1, 1 << 16
ENDS = (1 << 31, 1 << 32, 1 << 40, 1 << 63, 1 << 64)
"""What types of 32 and 64 bits hold, and (2^40) what numbers of 64 bits are taken to be."""
BRIEF = Limits(linear=1000, linearised=1000)
"""For questions whose answer is of use only if it comes soon."""
_Sizes = list[tuple[Term, bool, int]]
"""Symbols that are at most (True) so much, or (False) at least minus that."""


class Sizes:
    """The sizes and parameters of one context. `widened`: their ranges, with ends many times as far out."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.small_sizes: dict[tuple[Term, Term, int], _Sizes] = {}
        self.open: dict[Term, list[tuple[Term, bool]]] = {}
        self.told: dict[tuple[Term, tuple[tuple[Term, bool, int], ...], int, int | None], Spans] = {}
        self.reached: dict[tuple[Term, bool, Term], bool] = {}
        self.widened = {T.symbol_of(symbol): _widened(*context.range_of(symbol)) for symbol in context.symbols()}
        self.anywhere = self.wide()

    def small(self, term: Term, guard: Term, encoder: Encoder) -> list[Formula]:
        """In an encoder: that every size and parameter that neither the requirements nor a guard bound is small, or as many
        times that as it takes for the guard to hold without the term in it leaving its type, if it ever does.

        Small is what makes products small, too: of as many sizes as the term or the guard multiplies."""
        return self.bounds(self.small_ends(term, guard, encoder), encoder)

    def largest(self, term: Term, guard: Term, encoder: Encoder) -> list[Formula]:
        """In an encoder: that every parameter that nothing bounds is the largest of those that are small (`small`). What is
        multiplied by it is of a smaller degree then, and a solver finds a model that it does not find otherwise."""
        ends = self.small_ends(term, guard, encoder)
        return [P.eq(encoder.number(symbol, ANY), Poly.number(size)) for symbol, above, size in ends
                if above and not T.size_of(symbol)]

    def least(self, term: Term, guard: Term, encoder: Encoder) -> list[Formula]:
        """In an encoder: that every size and parameter that nothing bounds is 1, where no product is left of them."""
        ends = self.small_ends(term, guard, encoder)
        return [P.eq(encoder.number(symbol, ANY), Poly.number(1)) for symbol, above, _ in ends if above]

    def spans(self, term: Term, guard: Term, encoder: Encoder, rounds: Iterable[Term], data: int | None = None) -> Spans:
        """Between which integers values lie where a guard holds and every size and parameter is small for a term; and data, too,
        if it is said how small."""
        ends = self.small_ends(term, guard, encoder)
        key = guard, tuple(ends), len(self.context.modes), data
        if key not in self.told:
            ranges = {T.symbol_of(number): (0, number.type.high) for number in rounds}
            anywhere = Spans(T.TRUE, ranges, {})
            for symbol, (low, high) in self.context.ranges.items():
                least, most = anywhere.of(low)[0], anywhere.of(high)[1]
                for other, above, size in ends:
                    if T.symbol_of(other) == symbol:
                        least, most = (least, min(most, size)) if above else (max(least, -size), most)
                ranges[symbol] = least, most
            self.told[key] = Spans(T.all_of((*self.context.required, guard)), ranges, dict(self.context.modes),
                                    dict(self.context.fitting), data)
        return self.told[key]

    def small_ends(self, term: Term, guard: Term, encoder: Encoder) -> _Sizes:
        """The symbols that are kept small for a term where a guard holds, and how small."""
        inside = term in set(T.subterms(guard))
        compared = (relation.poly for relation in P.relations([encoder.truth(guard, ONE)]))
        inside_block = _atoms(self.context, encoder, Quantity.THREAD, ONE)
        factors = max(2, *(_factors(value, inside_block) for value in (encoder.number(term, ONE), *compared)))
        key = guard, term if inside else guard, factors
        if key not in self.small_sizes:
            own = self.context.encoder()
            own.modes |= {**encoder.modes, **({term: Mode.PLAIN} if inside else {})}
            ends = [(symbol, above, _small(symbol, factors)) for symbol, above in self.open_ends(guard)]
            self.small_sizes[key] = self.enough(ends, own.truth(guard, ONE), own)
        return self.small_sizes[key]

    def enough(self, ends: _Sizes, holds: Formula, encoder: Encoder) -> _Sizes:
        """The sizes as many times as it takes for a formula to hold; as they are, where it never does."""
        sizes, times = ends, 1
        while times < LARGEST and isinstance(
                self.context.ask([holds, *self.bounds(sizes, encoder)], encoder, model=False), Unsat):
            if times == 1 and isinstance(self.context.ask([holds], encoder, model=False), Unsat):
                return ends
            times *= 16
            sizes = [(symbol, above, size * times) for symbol, above, size in ends]
        return sizes

    def bounds(self, sizes: _Sizes, encoder: Encoder) -> list[Formula]:
        """That symbols are within sizes."""
        found = []
        for symbol, above, size in sizes:
            atom = encoder.number(symbol, ANY)
            found.append(P.le(atom, Poly.number(size)) if above else P.le(Poly.number(-size), atom))
        return found

    def open_ends(self, guard: Term) -> list[tuple[Term, bool]]:
        """The symbols that can reach the upper end of their range (True), or a negative lower one, where a guard holds."""
        if guard in self.open:
            return self.open[guard]
        encoder = self.wide()
        if not self.may_be([encoder.truth(guard, ONE)], encoder):
            encoder = self.wide(bounded=True)
        formula = encoder.truth(guard, ONE)
        names = set().union(*map(P.atoms, (formula, *encoder.closure(formula))))
        found = [(symbol, above) for symbol in self.context.symbols() for above in (True, False)
                 if (above or symbol.type.signed) and self.reaches(symbol, above, T.TRUE, self.anywhere)]
        inside = {symbol for symbol, _ in found if encoder.number(symbol, ANY).atoms() & names}
        ends = {(symbol, above) for symbol, above in found if symbol not in inside}
        for above in (True, False):
            ends |= {(symbol, above) for symbol in self.reaching([one for one, end in found if end is above and one in inside],
                                                                 above, guard, formula, encoder)}
        self.open[guard] = [each for each in found if each in ends]
        return self.open[guard]

    def reaching(self, symbols: list[Term], above: bool, guard: Term, formula: Formula, encoder: Encoder) -> list[Term]:
        """Those of some symbols that can be at an end where a guard holds: all of them where all can at once, else by halves."""
        if len(symbols) < 2:
            return [symbol for symbol in symbols if self.reaches(symbol, above, guard, encoder)]
        if self.may_be([formula, *(self.end(symbol, above, encoder) for symbol in symbols)], encoder):
            return symbols
        half = len(symbols) // 2
        return [symbol for part in (symbols[:half], symbols[half:])
                for symbol in self.reaching(part, above, guard, formula, encoder)]

    def may_be(self, formulas: list[Formula], encoder: Encoder) -> bool:
        """Whether formulas are not seen to contradict each other. A requirement that something is no larger than types of 32 bits
        hold, as C needs it to be, bounds nothing: it counts for much larger numbers."""
        required = [P.map_polys(each, _loosened, in_equations=False) for each in self.context.requirements(encoder)]
        return not isinstance(self.context.ask(formulas, encoder, model=False, limits=BRIEF, required=required), Unsat)

    def end(self, symbol: Term, above: bool, encoder: Encoder) -> Formula:
        """That a symbol is at an end of its range, or farther out; of a wide range, near it: who requires that `n + 255` fits its
        type does not bound n."""
        atom, number = encoder.number(symbol, ANY), encoder.number(self.context.range_of(symbol)[above], ANY)
        if abs(number.constant or 0) >= WIDE:
            number = number.plus(-NEAR if above else NEAR)
        return P.le(number, atom) if above else P.le(atom, number)

    def wide(self, *, bounded: bool = False) -> Encoder:
        """An encoder in which the types of symbols do not count, nor those of signed values (unless they are `bounded`: a guard
        that holds only where something wraps)."""
        encoder = self.context.encoder()
        encoder.unbounded = not bounded
        encoder.ranges = {**encoder.ranges, **self.widened}
        return encoder

    def reaches(self, symbol: Term, above: bool, guard: Term, encoder: Encoder) -> bool:
        """Whether a symbol can be at an end of its range where a guard holds. That other symbols have types does not count: `n ==
        gridDim.x * 64` bounds neither."""
        if guard is T.TRUE and not self.context.required:
            return True
        key = symbol, above, guard
        if key not in self.reached:
            self.reached[key] = self.may_be([encoder.truth(guard, ONE), self.end(symbol, above, encoder)], encoder)
        return self.reached[key]


def _widened(low: Term, high: Term) -> tuple[Term, Term]:
    """A range of 32 bits or fewer, ends many times as far out; a lower end of a size stays."""
    ends = [T.constant_value(low), T.constant_value(high)]
    if low.type.bits > 32 or None in ends:
        return low, high
    least, most = (int(end or 0) for end in ends)
    return T.const(least * FARTHER if least < 0 else least, I64), T.const(most * FARTHER, I64)


def _loosened(value: Poly) -> Poly:
    """What is at most zero, made many times less where it is a limit of a wide type, or near one."""
    limit = -value.terms.get((), 0)
    return value.plus(limit - limit * FARTHER) if any(abs(limit - end) <= NEAR for end in ENDS) else value


def _small(symbol: Term, factors: int) -> int:
    """So large may be each of so many sizes, two or more, that are multiplied."""
    alone = SMALL_DIMENSION if T.size_of(symbol) else SMALL_SCALAR
    return min(alone, int(float(SMALL_PRODUCT) ** (1 / factors) + 0.5))


def _factors(value: Poly, inside_block: Set[Atom]) -> int:
    """How many sizes, parameters or coordinates, but those in a block, a value multiplies at most."""
    return max((sum(name not in inside_block for name in mono) for mono in value.terms), default=0)


def _atoms(context: Context, encoder: Encoder, quantity: Quantity, view: View) -> set[Atom]:
    """The atoms of a thread's or a block's coordinates, as seen by a view."""
    return {name for term in context.coordinates(quantity) for name in encoder.number(term, view).atoms()}


def wrap_limit(context: Context, term: Term) -> str | None:
    """The sizes at which the largest value of a term still fits, as text; None if that cannot be told.

    Every coordinate is put to the end of its range that makes the (multilinear) polynomial largest.
    """
    encoder = context.encoder()
    value = encoder.number(term, ANY)
    for quantity in (Quantity.THREAD, Quantity.BLOCK):
        for coordinate in context.coordinates(quantity):
            name = atom_of(coordinate, ANY)
            slope = value.coefficient(name)
            if not slope.terms:
                continue
            if name in slope.atoms():
                return None
            low, high = context.range_of(coordinate)
            if _is_positive(slope, encoder):
                value = value.replace({name: encoder.number(high, ANY)})
            elif _is_positive(slope.scale(-1), encoder):
                value = value.replace({name: encoder.number(low, ANY)})
            else:
                return None
    known = {name for symbol in context.symbols() for name in encoder.number(symbol, ANY).atoms()}
    if value.atoms() - known:
        return None
    constant = value.terms.get((), 0)
    return f"{_factored(value.plus(-constant))} <= {term.type.high - constant}"


def _factored(value: Poly) -> str:
    """A polynomial as text, factored by sympy where it has more than one term."""
    if len(value.terms) < 2:
        return repr(value)
    import sympy

    return str(sympy.factor(value.to_sympy()))


def _is_positive(slope: Poly, encoder: Encoder) -> bool:
    return all(coef > 0 for coef in slope.terms.values()) and all(
        encoder.intervals.get(name, (-1, 0))[0] >= 0 for name in slope.atoms())
