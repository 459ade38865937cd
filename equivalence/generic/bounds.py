"""What tests say of one integer: its bounds, the one value they leave to it, and the same with small numbers.

Input: a formula over integers, and one of them. Output: polynomials that bound it, or the formula rewritten.
"""

from __future__ import annotations

from math import gcd

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel


def interval(where: Formula, bound: Atom) -> tuple[Poly, Poly] | None:
    """The least and the greatest number that meet a test, None if it is not of the form low <= k <= high."""
    ends: dict[int, Poly] = {}
    for part in P.conjuncts(where):
        if not isinstance(part, P.Rel) or part.sign != "<=":
            return None
        slope = part.poly.coefficient(bound).constant
        if slope not in (1, -1) or (part.poly.degree > 1 and any(bound in mono for mono in part.poly.terms if len(mono) > 1)):
            return None
        end = part.poly.replace({bound: Poly({})})
        apart = (end - ends[slope]).constant if slope in ends else 1
        if apart is None:
            return None
        ends[slope] = end if apart > 0 else ends[slope]
    return (ends[-1], ends[1].scale(-1)) if len(ends) == 2 else None


def pinned(where: Formula, number: Atom) -> Poly | None:
    """The one value that a test leaves to an integer: it is said to be that, or no less and no more."""
    ends: dict[int, list[Poly]] = {1: [], -1: []}
    for part in P.conjuncts(where):
        slope = part.poly.terms.get((number,)) if isinstance(part, Rel) else None
        if not isinstance(part, Rel) or slope not in (1, -1) or degree_in(part.poly, number) != 1 or any(
                number in mono and len(mono) > 1 for mono in part.poly.terms):
            continue
        value = part.poly.replace({number: Poly({})}).scale(-slope)
        if part.sign == "==":
            return value
        ends[slope].append(value)
    return next((low for low in ends[-1] if low in ends[1]), None)


def degree_in(value: Poly, number: Atom) -> int:
    """The greatest power of an atom."""
    return max((mono.count(number) for mono in value.terms), default=0)


def scaled(value: Poly, number: Atom, step: int, shift: Poly, sign: int, k: Poly) -> Poly:
    """A polynomial of a relation, times the step, with (k - shift)/(sign·step) in the place of a number."""
    slope, base = value.coefficient(number), value.replace({number: Poly({})})
    if not slope.terms:
        return value
    return slope.scale(sign) * (k - shift) + base.scale(step)


def primitive(value: Poly, sign: str) -> Poly:
    """A polynomial that is at most zero (or zero) with smaller coefficients, for integers."""
    by = gcd(*(coef for mono, coef in value.terms.items() if mono)) if value.terms else 1
    constant = value.terms.get((), 0)
    if by <= 1 or (sign == "==" and constant % by):
        return value
    return Poly({mono: (coef // by if mono else -(-coef // by)) for mono, coef in value.terms.items()})


def with_small_numbers(formula: Formula) -> Formula:
    """Relations with small coefficients."""
    match formula:
        case Rel(sign=sign, poly=poly):
            small = primitive(poly, sign)
            return formula if small is poly else P.conj((Rel(sign, small),)) if small.constant is None else (
                P.le(small, Poly({})) if sign == "<=" else P.eq(small, Poly({})))
        case P.And(args=args):
            return P.conj(with_small_numbers(arg) for arg in args)
        case P.Or(args=args):
            return P.disj(with_small_numbers(arg) for arg in args)
        case P.Not(arg=arg):
            return P.neg(with_small_numbers(arg))
    return formula


def tight(formula: Formula, bound: Atom, step: int, rest: int) -> Formula:
    """A test of an integer that leaves a rest, with bounds that are numbers moved to multiples of the step."""
    match formula:
        case Rel(sign="<=", poly=poly):
            small = primitive(poly, "<=")
            slope = small.terms.get((bound,), 0)
            others = {mono: coef for mono, coef in small.terms.items() if mono and mono != (bound,)}
            by = gcd(step, *others.values())
            if slope in (1, -1) and not any(bound in mono for mono in others):
                constant, rises, left = small.terms.get((), 0), Poly(others), rest % by
                if slope == -1:
                    return P.le(rises.plus(-(-(constant - left) // by) * by), Poly.atom(bound))
                return P.le(Poly.atom(bound) + rises, Poly.number((-constant - left) // by * by + by - 1))
            return P.le(small, Poly({}))
        case P.And(args=args):
            return P.conj(tight(arg, bound, step, rest) for arg in args)
        case P.Or(args=args):
            return P.disj(tight(arg, bound, step, rest) for arg in args)
        case P.Not(arg=arg):
            return P.neg(tight(arg, bound, step, rest))
    return formula


def without_common(value: Poly, size: Poly) -> tuple[Poly, Poly]:
    """What a quotient that is rounded down is of, without the number that all of it is a multiple of, up to a rest that is less:
    (4·v + 3) / (4·s) is v / s."""
    by = gcd(*size.terms.values())
    if by < 2 or any(coef % by for mono, coef in value.terms.items() if mono):
        return value, size
    return tuple(Poly({mono: coef // by for mono, coef in part.terms.items()}) for part in (value, size))  # type: ignore[return-value]
