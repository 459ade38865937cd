"""How a value changes from round to round: what a term says of the same value one round later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from automata.logic import terms as T
from automata.logic.terms import Owner, Role, Term
from automata.scalar import BOOL, Scalar

Bound = Callable[[Term], Term]
MAX_TURNS = 4


def rank(owner: Owner) -> int:
    """The more can tell values of it apart, the higher."""
    return (Owner.LAUNCH, Owner.BLOCK, Owner.THREAD).index(owner)


def owner_of(rounds: set[Term], *terms: Term) -> Owner:
    """Whose a value is. `rounds`: of the loop and those around it, of which an unknown value is a function anyway."""
    found, seen, pending = Owner.LAUNCH, set(terms), list(terms)
    while pending:
        term = pending.pop()
        roles = Role.NONE if term.args or term in rounds else term.roles
        if isinstance(term.data, T.Version):
            roles |= term.data.owner.value
        if roles & Role.THREAD:
            return Owner.THREAD
        found = Owner.BLOCK if roles & Role.BLOCK else found
        new = [arg for arg in term.args if arg not in seen]
        seen.update(new)
        pending += new
    return found


def previous(number: Term) -> Term:
    """The round before."""
    return T.binary("-", number, T.const(1, number.type))


def is_undefined(parts: set[Term]) -> bool:
    """Whether a local without a value is among the parts of a term."""
    return any(term.op == "undef" for term in parts)


def step_of(end: Term, mine: Term, varying: set[Term]) -> Term | None:
    """The c of x + c, modulo the type of x; None where the value is no such sum."""
    if not end.type.is_int or end.type == BOOL:
        return None
    if end is mine:
        return T.const(0, end.type)
    found = _linear(end, mine, end.type)
    if found is None or found[0] != 1:
        return None
    return found[1] if is_fixed(set(T.subterms(found[1])), varying) else None


def after_rounds(first: Term, step: Term, number: Term) -> Term:
    """x + k·c, modulo the type of x. What an unsigned value counts down is taken away from it, so that its value as an integer is
    in its type as long as it does not go below zero."""
    kind = step.type
    by = T.constant_value(step)
    if by == 0:
        return T.binary("+", first, step)
    if by is not None and not kind.signed and int(by) > kind.high // 2:
        return T.binary("-", first, T.binary("*", T.cast(number, kind), T.const(kind.high + 1 - int(by), kind)))
    return T.binary("+", first, T.binary("*", T.cast(number, kind), step))


def is_fixed(parts: set[Term], varying: set[Term]) -> bool:
    """Whether a term of these parts has the same value in every round."""
    return not parts & varying and not is_undefined(parts) and not any(
        isinstance(term.data, T.Version) and term.data.owner is not Owner.LAUNCH for term in parts)


def in_turn(end: Term, mine: Term, first: Term, number: Term, refuted: Callable[[list[Term]], bool]) -> Term | None:
    """The value in round k > 0 of an x that a round turns into e(x), if e repeats itself after p rounds:
    e(x), e(e(x)), … by the remainder of k - 1 by p. None if no p up to MAX_TURNS is shown."""
    if not end.type.is_int:
        return None
    values = [end]
    for period in range(2, MAX_TURNS + 1):
        values.append(T.substitute(end, {mine: values[-1]}))
        again = T.substitute(end, {mine: values[-1]})
        if refuted([T.negate(T.binary("==", again, end))]):
            turn = T.binary("%", previous(number), T.const(period, number.type))
            value = T.substitute(values[-1], {mine: first})
            for at, found in reversed(list(enumerate(values[:-1]))):
                value = T.select(T.binary("==", turn, T.const(at, number.type)), T.substitute(found, {mine: first}), value)
            return value
    return None


def in_rotation(name: str, ends: Mapping[str, Term], names: Mapping[Term, str], first: Mapping[str, Term],
                number: Term) -> Term | None:
    """The value in round k of a local that a round gives the value of another, that one the value of a third and so on, back to
    the first, as two pointers that are swapped: where it began, as many steps further as there were rounds. None for others."""
    ring = [name]
    while (after := names.get(ends[ring[-1]])) is not None and after not in ring and len(ring) < MAX_TURNS:
        ring.append(after)
    if after != name or len(ring) < 2 or len({first[each].type for each in ring}) > 1:
        return None
    turn = T.binary("%", number, T.const(len(ring), number.type))
    value = first[ring[-1]]
    for at, each in reversed(list(enumerate(ring[:-1]))):
        value = T.select(T.binary("==", turn, T.const(at, number.type)), first[each], value)
    return value


def _linear(term: Term, mine: Term, kind: Scalar) -> tuple[int, Term] | None:
    """Coefficient of x (0 or 1) and the rest, modulo 2^bits of a type."""
    zero = T.const(0, kind)
    if term is mine:
        return 1, zero
    if mine not in T.subterms(term):
        return (0, T.cast(term, kind)) if term.type.is_int else None
    if term.op == "cast" and term.type.is_int and min(term.type.bits, term.args[0].type.bits) >= kind.bits and term.type != BOOL:
        return _linear(term.args[0], mine, kind)
    if term.op not in ("+", "-"):
        return None
    left, right = (_linear(arg, mine, kind) for arg in term.args)
    if left is None or right is None or (term.op == "-" and right[0]) or left[0] + right[0] > 1:
        return None
    return left[0] + right[0], T.binary(term.op, left[1], right[1])


def candidates(first: Term) -> list[Bound]:
    """Bounds that counters keep: a sign, or the side of the value they begin with."""
    def at_least(low: Term) -> Bound:
        return lambda value: T.binary("<=", low, value)

    def at_most(high: Term) -> Bound:
        return lambda value: T.binary("<=", value, high)

    kind = first.type
    return [at_least(T.const(0, kind)), at_least(T.const(1, kind)), at_least(first), at_most(first)]
