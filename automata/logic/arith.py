"""Terms read as mathematical integers: the encoder from C's terms to polynomials and formulas.

Ring operations (+ - * unary minus, shifts by a constant, casts that do not widen) commute with
wrapping, so they are carried out over the integers and the result is right modulo 2^bits. Only where a
value is *observed* (compared, divided, used as an index, widened) must it lie in its type. How an
observed term is read is its `Mode`:

    PLAIN   its integer value lies in the type: proved, or printed as an assumption
    EXACT   value = integer - k·2^bits with a fresh k that puts it in range: always sound

A term nobody decided is PLAIN if plain interval arithmetic shows it fits, else EXACT. Reads, float
operations and whatever has no integer meaning are uninterpreted functions: equal arguments, equal value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

from automata.budget import METER
from automata.logic import poly as P
from automata.logic.atom import EVERYBODY, Atom, Whose, atom
from automata.logic.atoms import HUGE, Atoms
from automata.logic.bits import by_power, of_bits, shifted
from automata.logic.depth import from_below
from automata.logic.dyadic import Exactly
from automata.logic.float_ranges import span
from automata.logic.poly import Formula, Poly
from automata.logic.quotients import coarser, digit_of, parted, quotient_of
from automata.logic.radix import quotient_shown
from automata.logic.smt import Answer
from automata.logic.terms import Owner, Role, Symbol, Term, Version, constant_value
from automata.logic.views import ANY, Application, Function, View, atom_of, runs_of_ones, whose
from automata.scalar import Kind

ENCODED = 15_000
"""Nanoseconds of work: of a term that is encoded."""
_TRUTHS = frozenset(("!", "&&", "||", "<", "<=", "==", "ite"))
"""Operations whose result is told as a formula if it is a truth."""


class Mode(Enum):
    """How an observed term is read."""

    PLAIN = "plain"
    EXACT = "exact"


@dataclass
class Encoder(Atoms):
    """Encodes terms.

    `ranges`: low and high (inclusive) term of each symbol; `powers`: of those that are powers of two. `modes`: what was decided;
    `fitting`: of terms read EXACT, a test under which their integer value lies in the type; `assumed`: of terms that are assumed
    to fit, the tests under which they are; `converted`: left shifts into the sign, which count as they wrap in sums too.
    `unbounded`: signed terms of 32 bits or more that nobody decided are read PLAIN, whether they fit or not. `bindings`: symbols
    of a view that stand for a polynomial (an inverted thread). `resolver`: what a read's value is, where the contents are traced
    to their writer instead of being an uninterpreted function. `answers`: of the queries over its atoms that were asked, with
    the time that each rung had. `proves`: whether something follows from what all queries require; None where they differ in it.
    `shows`: the same of what the queries of now are asked under, which says nothing of a term that others see too.
    `saturates`: a float that an integer type does not hold becomes the nearest one that it does.
    """

    ranges: Mapping[Symbol, tuple[Term, Term]] = field(default_factory=dict)
    modes: dict[Term, Mode] = field(default_factory=dict)
    fitting: Mapping[Term, Term] = field(default_factory=dict)
    powers: Mapping[Term, tuple[Term, Term]] = field(default_factory=dict)
    commutative: bool = False
    saturates: bool = False
    unbounded: bool = False
    assumed: Mapping[Term, list[Term]] = field(default_factory=dict)
    converted: Set[Term] = frozenset()
    bindings: dict[Atom, Poly] = field(default_factory=dict)
    resolver: Callable[[Term, View, tuple[Poly, ...]], Poly] | None = None
    answers: dict[tuple[object, ...], tuple[Answer, tuple[int, ...]]] = field(default_factory=dict)
    proves: Callable[[Formula], bool] | None = None
    shows: Callable[[Formula], bool] | None = None
    _numbers: dict[tuple[int, Whose], Poly] = field(default_factory=dict)
    _truths: dict[tuple[int, Whose], Formula] = field(default_factory=dict)
    _noted: set[tuple[int, Whose]] = field(default_factory=set)

    # -- entry points -------------------------------------------------------------------------

    def index(self, term: Term, view: View) -> Poly:
        """The value of a term where it is observed."""
        return self._observe(term, view)

    def reduced(self, term: Term, view: View) -> Poly:
        """The value of a term in the range of its type, whatever was decided about it: what memory holds."""
        value = self.number(term, view)
        if term.type.is_float or self._fits(value, term):
            return value
        return self._wrapped(term, value, view)

    def truth(self, term: Term, view: View) -> Formula:
        """A boolean term as a formula."""
        key = (term.serial, whose(term, view))
        if key not in self._truths:
            METER.done += ENCODED
            from_below(self, term, view)
            self._truths[key] = self._truth(term, view)
        return self._truths[key]

    def number(self, term: Term, view: View) -> Poly:
        """An integer congruent to the term modulo 2^bits; for a float a token that stands for its bits."""
        key = (term.serial, whose(term, view))
        if key not in self._numbers:
            METER.done += ENCODED
            from_below(self, term, view)
            self._numbers[key] = self._float(term, view) if term.type.is_float else self._integer(term, view)
        return self._numbers[key]

    def knows(self, term: Term, view: View) -> bool:
        """Whether a term was encoded."""
        known = self._truths if term.type.kind is Kind.BOOL else self._numbers
        return (term.serial, whose(term, view)) in known

    def of_term(self, what: str, term: Term, view: View) -> Atom:
        """The atom for something about a term, as a view sees it."""
        return atom((what, term.serial), f"{what}#{term.serial}", whose(term, view))

    # -- integers -----------------------------------------------------------------------------

    def _observe(self, term: Term, view: View) -> Poly:
        value = self.number(term, view)
        kind = term.type
        if term.op in ("const", "sym", "read", "undef") or kind.is_float or kind.kind is Kind.BOOL:
            return value
        mode = self.modes.get(term)
        is_free = self.unbounded and kind.signed and kind.bits >= 32
        if mode is Mode.PLAIN or (mode is None and (is_free or self._fits(value, term))):
            if term in self.assumed and not self.unbounded:
                self._assume(term, value, view)
            return value
        return self._wrapped(term, value, view)

    def _assume(self, term: Term, value: Poly, view: View) -> None:
        """What is assumed of a sum: it is in its type where that matters."""
        key = (term.serial, whose(term, view))
        if key in self._noted or not value.atoms() or any(len(mono) > 1 for mono in value.terms):
            return
        self._noted.add(key)
        fits = P.conj((P.le(Poly.number(term.type.low), value), P.le(value, Poly.number(term.type.high))))
        tests = P.disj(self.truth(test, view) for test in self.assumed[term])
        self.facts[min(value.atoms())].append(P.implies(tests, fits))

    def _fits(self, value: Poly, term: Term) -> bool:
        low, high = self.interval(value)
        return term.type.low <= low and high <= term.type.high

    def _wrapped(self, term: Term, value: Poly, view: View) -> Poly:
        """value - k·2^bits with the k that puts it in range."""
        kind = term.type
        wrapped = self.of_term("wrap", term, view)
        if wrapped not in self.facts:
            turns = self.turns(self.of_term("turns", term, view), value, kind)
            self.known(wrapped, (kind.low, kind.high))
            self.facts[wrapped].append(P.eq(Poly.atom(wrapped), value - turns.scale(1 << kind.bits)))
            if term in self.fitting:
                self.facts[wrapped].append(P.implies(self.truth(self.fitting[term], view), P.eq(Poly.atom(wrapped), value)))
        return Poly.atom(wrapped)

    def _integer(self, term: Term, view: View) -> Poly:
        if term.type.kind is Kind.BOOL and (term.op in _TRUTHS or (term.op == "cast" and term.args[0].type.is_int)):
            return self._choice(term, self.truth(term, view), Poly.number(1), Poly.number(0), view)
        readers = {"const": self._constant, "sym": self._symbol, "read": self._read, "undef": self._undefined,
                   "+": self._ring, "-": self._ring, "*": self._product, "neg": self._ring, "~": self._ring,
                   "cast": self._cast, "/": self._division, "%": self._division, "<<": self._shift, ">>": self._shift,
                   "&": self._bits, "|": self._bits, "^": self._bits, "ite": self._select}
        return readers.get(term.op, self._opaque)(term, view)

    def _constant(self, term: Term, view: View) -> Poly:
        value = constant_value(term)
        assert value is not None
        return Poly.number(int(value))

    def _undefined(self, term: Term, view: View) -> Poly:
        return self.known(self.of_term("undefined", term, view), HUGE if term.type.is_float else (term.type.low, term.type.high))

    def _ring(self, term: Term, view: View) -> Poly:
        """+ - and the unary - and ~ (which is -x - 1)."""
        args = [self.number(arg, view) for arg in term.args]
        if len(args) == 1:
            return args[0].scale(-1).plus(-1 if term.op == "~" else 0)
        return args[0] + args[1] if term.op == "+" else args[0] - args[1]

    def _select(self, term: Term, view: View) -> Poly:
        test, then, other = term.args
        return self._choice(term, self.truth(test, view), self.number(then, view), self.number(other, view), view)

    def _symbol(self, term: Term, view: View) -> Poly:
        assert isinstance(term.data, Symbol)
        each = atom_of(term, view)
        value = Poly.atom(each)
        if each in self.bindings:
            return self.bindings[each]
        if each in self.facts:
            return value
        self.facts[each] = []
        self.intervals[each] = (term.type.low, term.type.high)
        low, high = (self.number(bound, view) for bound in self.powers.get(term) or self.ranges[term.data])
        self.intervals[each] = (self.interval(low)[0], self.interval(high)[1])
        self.facts[each] += [P.le(low, value), P.le(value, high)]
        return value

    def _read(self, term: Term, view: View) -> Poly:
        args = tuple(self._observe(arg, view) for arg in term.args)
        value = self.stored(term, view, args) if self.resolver is None else self.resolver(term, view, args)
        if self.further is not None and isinstance(term.data, Version) and term.data.owner is Owner.LAUNCH:
            self.origins.update((name, (term, view)) for name in value.atoms() - self.origins.keys())
        return value

    def stored(self, term: Term, view: View, args: tuple[Poly, ...]) -> Poly:
        """A read as an uninterpreted function of its index."""
        version = term.data
        assert isinstance(version, Version)
        owner = {Owner.THREAD: whose(term, view), Owner.BLOCK: Whose("", view.block), Owner.LAUNCH: EVERYBODY}[version.owner]
        interval = HUGE if term.type.is_float else (term.type.low, term.type.high)
        return self.apply(Function("read", version.tag, owner, version.array), args, interval)

    def _opaque(self, term: Term, view: View) -> Poly:
        """An uninterpreted function of the arguments' values."""
        args = tuple(self.number(arg, view) for arg in term.args)
        interval = HUGE if term.type.is_float else span(term, lambda a: self.interval(self._observe(a, view)), self.saturates)
        return self.apply(Function(term.op, (term.data, term.type, *(arg.type for arg in term.args))), args, interval)

    def _product(self, term: Term, view: View) -> Poly:
        left, right = term.args
        if left.roles & right.roles & Role.DATA:
            return self._opaque(term, view)
        return self.number(left, view) * self.number(right, view)

    def _cast(self, term: Term, view: View) -> Poly:
        arg = term.args[0]
        if arg.type.is_float:
            whole = self._exactly(view).whole(arg, term.type)
            return self._opaque(term, view) if whole is None else whole
        if arg.type.kind is Kind.BOOL or term.type.bits > arg.type.bits:
            return self._observe(arg, view)
        return self.number(arg, view)

    def _choice(self, term: Term, test: Formula, then: Poly, other: Poly, view: View) -> Poly:
        return self.choice(self.of_term("choice", term, view), test, then, other)

    def _division(self, term: Term, view: View) -> Poly:
        """C's / and %: a = b·q + r, |r| < |b|, r has the sign of a. Nothing is known when b is 0."""
        left, right = (self._observe(arg, view) for arg in term.args)
        if self.interval(right) == (0, 0) or (not right.constant and all(arg.roles & Role.DATA for arg in term.args)):
            return self._opaque(term, view)
        digit = digit_of(self, term, (left, right), lambda part: self._observe(part, view), lambda part: self.number(part, view))
        digit = self._above(left, right) if digit is None else digit
        if digit is None and (inner := coarser(left, right, self.interval)) is not None:
            digit = self.quotient(*inner)
        if digit is not None:
            return digit if term.op == "/" else left - right * digit
        name = quotient_of(self, left, right)
        self.add(name, by_power(self, name, left, right, self.powers_at(view)))
        if term.op == "/":
            return Poly.atom(name)
        rest = left - right * Poly.atom(name)
        last = abs(right.constant or 0) - 1
        return self.spanning(rest, (0 if self.interval(left)[0] >= 0 else -last, last)) if last >= 0 else rest

    def _above(self, left: Poly, right: Poly) -> Poly | None:
        """The quotient of a sum of digits times strides by a stride, where the requirements show that they are digits."""
        proves = self.proves
        with self.proving():
            return quotient_shown(left, right, self, proves) if proves else None

    def quotient(self, left: Poly, right: Poly) -> Poly:
        """C's quotient of two numbers, of which nothing is known where the second is 0."""
        return self._above(left, right) or Poly.atom(quotient_of(self, left, right))

    @contextmanager
    def proving(self) -> Iterator[Callable[[Formula], bool] | None]:
        """What decides whether something follows from the requirements; not while something is decided so."""
        proves, shows, self.proves, self.shows = self.proves, self.shows, None, None
        try:
            yield shows or proves
        finally:
            self.proves, self.shows = proves, shows

    def powers_at(self, view: View) -> set[Atom]:
        """The sizes that are required to be powers of two."""
        return {each for term in self.powers for each in self.number(term, view).atoms()}

    def _shift(self, term: Term, view: View) -> Poly:
        by = constant_value(term.args[1])
        if by is None or not 0 <= int(by) < term.type.bits:
            return self._shift_by_cases(term, view)
        if term.op == "<<":
            value = self.number(term.args[0], view).scale(1 << int(by))
            return self._wrapped(term, value, view) if term in self.converted else value
        return self._floor(term.args[0], int(by), view)

    def _shift_by_cases(self, term: Term, view: View) -> Poly:
        """A constant shifted by a variable: as it wraps for each distance less than the width; of others nothing is known."""
        base, result = constant_value(term.args[0]), self._opaque(term, view)
        if base is None or result.constant is not None:
            return result
        by = self._observe(term.args[1], view)
        name = next(iter(result.atoms()))
        self.facts[name] += shifted(int(base), term.op, term.type, by, self.interval(by), result)
        return result

    def _floor(self, term: Term, bits: int, view: View) -> Poly:
        """floor(term / 2^bits)"""
        value = self._observe(term, view)
        low, high = self.interval(value)
        if (exact := parted(value, 1 << bits, self.interval)) is not None:
            return exact
        name = atom(("shifted", term.serial, bits), f"floor{term.serial}>>{bits}", whose(term, view))
        if name not in self.facts:
            part = self.known(name, (low >> bits, high >> bits))
            self.floors[name] = value, Poly.number(1 << bits)
            whole = part.scale(1 << bits)
            self.facts[name] += [P.le(whole, value), P.lt(value, whole.plus(1 << bits))]
        return Poly.atom(name)

    def _bits(self, term: Term, view: View) -> Poly:
        """& | ^ with a constant, by the bits of the constant; otherwise opaque, with x & y <= x, y."""
        left, right = term.args
        mask = constant_value(right)
        if mask is None:
            left, right, mask = right, left, constant_value(left)
        runs = runs_of_ones(int(mask), term.type.bits, term.type.signed) if mask is not None else None
        if mask is None or runs is None or len(runs) > 4:
            return self._opaque_bits(term, view)
        value = self._observe(left, view)
        common = Poly({})
        for low, high in runs:
            part = self._floor(left, low, view)
            if high is not None:
                part = part - self._floor(left, high, view).scale(1 << (high - low))
                part = self.spanning(part, (0, (1 << (high - low)) - 1))
            common = common + part.scale(1 << low)
        if term.op == "&":
            return common
        return value.plus(int(mask)) - common.scale(1 if term.op == "|" else 2)

    def _opaque_bits(self, term: Term, view: View) -> Poly:
        left, right = (self._observe(arg, view) for arg in term.args)
        return of_bits(self, Function(term.op, term.type), (left, right), (term.type.low, term.type.high), self.powers_at(view))

    # -- floats and truth -----------------------------------------------------------------------

    def _float(self, term: Term, view: View) -> Poly:
        match term.op:
            case "const":
                return self.known(atom(("constant", term.type, term.data), f"{term.type} {term.data}"), HUGE)
            case "sym":
                return self.known(atom_of(term, view), HUGE)
            case "read":
                return self._read(term, view)
            case "undef":
                return self._undefined(term, view)
            case "ite":
                return self._select(term, view)
            case "cast":
                arg = term.args[0]
                value = self.number(arg, view) if arg.type.is_float else self._observe(arg, view)
                return self.apply(Function("cast", (term.type, arg.type)), (value,), HUGE)
            case "+" | "*" if self.commutative:
                return self._commutative(term, view)
        return self._opaque(term, view)

    def _commutative(self, term: Term, view: View) -> Poly:
        """f(min, max) of the two arguments' tokens: a function that does not see their order."""
        left, right = (self.number(arg, view) for arg in term.args)
        if (("lower", EVERYBODY), (right, left)) in self.made:
            left, right = right, left
        lower, upper = (self.made_of(side, side, (left, right)) for side in ("lower", "upper"))
        if lower not in self.facts:
            ordered = P.le(left, right)
            for each, yes, no in ((lower, left, right), (upper, right, left)):
                part = self.known(each, HUGE)
                self.facts[each] += [P.implies(ordered, P.eq(part, yes)), P.implies(P.neg(ordered), P.eq(part, no))]
        return self.apply(Function(term.op, ("commutative", term.type)), (Poly.atom(lower), Poly.atom(upper)), HUGE)

    def _truth(self, term: Term, view: View) -> Formula:
        match term.op:
            case "const":
                return P.TRUE if constant_value(term) else P.FALSE
            case "!":
                return P.neg(self.truth(term.args[0], view))
            case "&&":
                return P.conj(self.truth(arg, view) for arg in term.args)
            case "||":
                return P.disj(self.truth(arg, view) for arg in term.args)
            case "ite":
                test, then, other = (self.truth(arg, view) for arg in term.args)
                return P.conj((P.implies(test, then), P.implies(P.neg(test), other)))
            case "<" | "<=" | "==" if term.args[0].type.is_int:
                left, right = (self._observe(arg, view) for arg in term.args)
                return {"<": P.lt, "<=": P.le, "==": P.eq}[term.op](left, right)
            case "<" | "<=" | "==":
                return self._proposition(term, view)
            case "cast" if term.args[0].type.is_int:
                return P.neg(P.eq(self._observe(term.args[0], view), Poly.number(0)))
        return P.neg(P.eq(self.number(term, view), Poly.number(0)))

    def _exactly(self, view: View) -> Exactly:
        return Exactly(self, lambda term: self._observe(term, view))

    def _proposition(self, term: Term, view: View) -> Formula:
        """A comparison of floats: of integers where no operation rounds, else an uninterpreted predicate of their tokens."""
        exact = self._exactly(view).compared(term.op, *term.args)
        if exact is not None:
            return exact
        args = tuple(self.number(arg, view) for arg in term.args)
        function = Function(term.op, term.args[0].type, is_truth=True)
        each = self.made_of(function, f"{term.op}?", args)
        self.applications[each] = Application(function, args)
        self.facts.setdefault(each, [])
        return P.Prop(each)


__all__ = ["ANY", "Application", "Encoder", "Mode", "View"]
