"""How many rounds a loop makes, where its counter tells.

Input: the test of a loop in round k, of a loop that nothing but this test ends. Output: the number of the round in which it fails
for the first time, as a term, and when the loop makes any round.

A counter that goes up by one is `x₀ + k` in round k. It stays below its bound while the loop goes on, so it does not wrap, and
the test `x₀ + k < b` fails first for k = b - x₀, or at once. One that goes down by one is like it, from the other side. Of `<=`
there is one round more; where the bound is the last number of its type, the loop has no end. The bound is the same in each round:
a test that reads what somebody writes tells nothing.
Source: the trip counts of scalar evolution (Bachmann, Wang, Zima, ISSAC 1994; as compilers use them).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from automata.logic import terms as T
from automata.logic.terms import Term
from automata.proof.symbolic.recurrence import is_fixed
from automata.scalar import I64, Scalar


@dataclass(frozen=True, slots=True)
class Trip:
    """`is_entered`: whether the loop makes a round; `count`: how many it makes then; `test`: what holds where it goes on."""

    is_entered: Term
    count: Term
    test: Term

    def given(self, is_known: Callable[[Term], bool]) -> Term:
        """How many rounds it makes, 0 where it makes none. `is_known`: whether something is known to hold."""
        return self.count if is_known(self.is_entered) else T.select(self.is_entered, self.count, T.const(0, I64))


def trip_of(test: Term, number: Term) -> Trip | None:
    """What the test of round `number` says; None where it compares no counter with what stays as it is."""
    if test.op not in ("<", "<=") or not test.args[0].type.is_int or not is_fixed(set(T.subterms(test)), set()):
        return None
    low, high = test.args
    kind = low.type
    up, down = _start(low, number, kind, 1), _start(high, number, kind, -1)
    if up is not None and not _holds(high, number):
        low = up
    elif down is not None and not _holds(low, number):
        high = down
    else:
        return None
    start = T.binary(test.op, low, high)
    count = _apart(low, high)
    return Trip(start, count if test.op == "<" else T.binary("+", count, T.const(1, I64)), test)


def _apart(low: Term, high: Term) -> Term:
    """The difference of two values of which the first is not the greater one."""
    known = T.constant_value(low)
    if low.type.bits < 64 and (known is None or known < 0):
        return T.binary("-", T.cast(high, I64), T.cast(low, I64))
    return T.cast(T.binary("-", high, low), I64)


def _holds(term: Term, number: Term) -> bool:
    return number in T.subterms(term)


def _start(term: Term, number: Term, kind: Scalar, step: int) -> Term | None:
    """The x₀ of a term that is x₀ + k (`step` 1) or x₀ - k (-1), None for others."""
    counter = T.cast(number, kind)
    back = T.binary("*", counter, T.const(-1 if kind.signed else kind.high, kind))
    moved = counter if step == 1 else back
    if term is moved:
        return T.const(0, kind)
    if term.op not in ("+", "-"):
        return None
    left, right = term.args
    is_so = right is moved if term.op == "+" else step == -1 and right is counter
    return left if is_so and not _holds(left, number) else None
