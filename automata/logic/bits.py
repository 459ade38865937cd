"""Bits of two numbers that both vary, and numbers that are required to be powers of two.

    x & (s - 1)  =  x mod s                   for a power of two s, x of either sign
    x & -s       =  x - x mod s = s·floor(x / s)

where mod rounds down. So masks of a size that varies become quotients, which the solvers know. That a size is a power of two
has to be required: `(s & (s - 1)) == 0` and `s > 0`. A product of such sizes is one, and twice such a size. (Warren, Hacker's
Delight, 2-1 and 10-1.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.atom import Atom
from automata.logic.atoms import Atoms, Interval
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Symbol, Term, constant_value
from automata.logic.views import Function
from automata.scalar import Scalar

Ranges = Mapping[Symbol, tuple[Term, Term]]


def powers_of_two(required: Iterable[Term], ranges: Ranges) -> dict[Term, tuple[Term, Term]]:
    """The symbols of integers that requirements make powers of two, and the range of each: within its own from 1 to the largest
    power."""
    parts = [part for term in required for part in _parts(term)]
    positive = {bare for part in parts if (bare := _positive(part)) is not None}
    found = {}
    for size in filter(None, map(_without_others, parts)):
        low, high = ranges[T.symbol_of(size)]
        least, most = constant_value(low), constant_value(high)
        if least is not None and (least > 0 or size in positive):
            largest = (size.type.high >> 1) + 1
            found[size] = (T.const(max(int(least), 1), size.type), high if most is None or most < largest
                           else T.const(largest, size.type))
    return found


def multiples(required: Iterable[Term]) -> dict[Term, int]:
    """The symbols of integers that requirements make multiples of a number: the largest of those numbers."""
    found: dict[Term, int] = {}
    for test in (part for term in required for part in _parts(term)):
        if test.op == "==" and test.args[0].type.is_int:
            for rest, zero in (test.args, test.args[::-1]):
                by = constant_value(rest.args[1]) if rest.op == "%" and constant_value(zero) == 0 else None
                if by is not None and by >= 2 and (size := _bare(rest.args[0])).op == "sym":
                    found[size] = max(found.get(size, 0), int(by))
    return found


def _parts(term: Term) -> Iterator[Term]:
    """The terms of a conjunction."""
    if term.op == "&&":
        yield from (part for arg in term.args for part in _parts(arg))
    else:
        yield term


def _bare(term: Term) -> Term:
    """Without the casts that change no value."""
    while term.op == "cast" and term.type.is_int and term.args[0].type.is_int and (
            term.type.holds(term.args[0].type.low) and term.type.holds(term.args[0].type.high)):
        term = term.args[0]
    return term


def _positive(test: Term) -> Term | None:
    """What a test says is greater than zero."""
    if test.op not in ("<", "<=") or not test.args[0].type.is_int:
        return None
    low = constant_value(test.args[0])
    return _bare(test.args[1]) if low is not None and low >= (0 if test.op == "<" else 1) else None


def _without_others(test: Term) -> Term | None:
    """The symbol of which a test says that it has no bit in common with itself less one."""
    if test.op != "==" or not any(constant_value(arg) == 0 for arg in test.args):
        return None
    left, right = (test.args if constant_value(test.args[1]) == 0 else test.args[::-1])
    if left.op != "&" or constant_value(right) != 0:
        return None
    for size, mask in (left.args, left.args[::-1]):
        bare = _bare(size)
        if bare.op == "sym" and mask.op in ("-", "+") and _bare(mask.args[0]) is bare and (
                constant_value(mask.args[1]) == (1 if mask.op == "-" else -1)):
            return bare
    return None


def of_bits(atoms: Atoms, function: Function, args: tuple[Poly, Poly], interval: Interval, powers: Collection[Atom]) -> Poly:
    """& | ^ of two numbers, as `function` names them. `powers`: which are powers of two; `interval`: that of the result."""
    if function.op == "&" and powers:
        for value, mask in (args, args[::-1]):
            if is_power(size := mask.plus(1), powers):
                return _remainder(atoms, value, size)
            if is_power(size := mask.scale(-1), powers):
                return value - _remainder(atoms, value, size)
    result = atoms.apply(function, args, interval)
    if function.op == "&":
        name = next(iter(result.atoms()))
        for value in args:
            if atoms.interval(value)[0] >= 0:
                atoms.facts[name] += [P.le(Poly.number(0), result), P.le(result, value)]
    return result


def by_power(atoms: Atoms, quotient: Atom, left: Poly, right: Poly, powers: Collection[Atom]) -> Iterator[Formula]:
    """Of what is not negative C's quotient by a power of two is the one rounded down that masks become."""
    if powers and is_power(right, powers):
        positive = P.conj((P.le(Poly.number(0), left), P.lt(Poly.number(0), right)))
        yield P.implies(positive, P.eq(Poly.atom(quotient), atoms.floor_quotient(left, right)))


def shifted(base: int, op: str, kind: Scalar, by: Poly, interval: Interval, result: Poly) -> Iterator[Formula]:
    """What a number shifted by a variable is, as it wraps, for each distance in an interval that is less than the width."""
    cases: dict[int, list[int]] = {}
    for step in range(max(interval[0], 0), min(interval[1], kind.bits - 1) + 1):
        cases.setdefault(kind.wrap(base >> step if op == ">>" else base << step), []).append(step)
    for value, steps in cases.items():
        here = P.conj((P.le(Poly.number(steps[0]), by), P.le(by, Poly.number(steps[-1])))) if (
            steps[-1] - steps[0] == len(steps) - 1) else P.disj(P.eq(by, Poly.number(step)) for step in steps)
        yield P.implies(here, P.eq(result, Poly.number(value)))


def is_power(value: Poly, powers: Collection[Atom]) -> bool:
    """Whether a polynomial is a product of powers of two, with no other summand."""
    if len(value.terms) != 1:
        return False
    (mono, factor), = value.terms.items()
    return factor > 0 and factor & (factor - 1) == 0 and all(each in powers for each in mono)


def _remainder(atoms: Atoms, value: Poly, size: Poly) -> Poly:
    """value mod size, rounding down, of a positive size: from 0 to size - 1, and at most a value that is not negative."""
    if value == size:
        return Poly.number(0)
    whole = atoms.floor_quotient(value, size)
    rest = value - size * whole
    if whole.constant is None and atoms.interval(value)[0] >= 0:
        name = next(iter(whole.atoms()))
        atoms.facts[name] += [fact for fact in (P.le(Poly.number(0), whole), P.le(rest, value))
                              if fact not in atoms.facts[name]]
    return rest


__all__ = ["by_power", "is_power", "of_bits", "powers_of_two", "shifted"]
