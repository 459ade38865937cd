"""Results of one counter are distinct.

Input: the atomic updates of a footprint. An array whose cells are only added to, by constants above zero, hands out
*tickets*: of two updates of one cell, by c and d, one comes first, so of their results r and s the intervals [r, r + c)
and [s, s + d) do not overlap. One that counts up to n and again from 0 (`inc`) does so for n + 1 updates. This holds
within one instance of the counter: for a shared array among the threads of a block that update it after the same barrier,
for a global one in the whole launch if the kernel never stores to it. That counters do not wrap is assumed and printed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from automata.lang.core import AXES, Quantity, Space
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, View
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Term
from automata.proof.known.context import Context, flatten, same_rounds, threads_of_a_block
from automata.proof.known.footprint import Access, Footprint

MAX_TICKETS = 4


@dataclass
class Tickets:
    """`counters`: the updates whose results are tickets, by the name of the result; `used`: arrays whose tickets were."""

    context: Context
    encoder: Encoder
    counters: dict[object, Access]
    used: set[str]

    def apart(self, first: Access, second: Access, left: View, right: View, across_blocks: bool) -> Formula:
        """What is known of the tickets in two accesses of distinct threads."""
        one, two = ([(ticket, view) for ticket in self.drawn(access)] for access, view in ((first, left), (second, right)))
        return self.told_apart(one, two, across_blocks)

    def told_apart(self, first: list[tuple[Term, View]], second: list[tuple[Term, View]], across_blocks: bool = True) -> Formula:
        """What is known of tickets that were drawn, each by a thread; no thread of the first list is one of the second."""
        facts = []
        for mine, left in first:
            for yours, right in second:
                one, two = self.counters[mine.data], self.counters[yours.data]
                if one.array == two.array and self.one_instance(one, two, across_blocks):
                    self.used.add(one.array)
                    facts.append(self.distinct(mine, yours, left, right))
        return P.conj(facts)

    def drawn(self, access: Access) -> list[Term]:
        """The tickets that decide where an access goes, or whether it happens."""
        if not self.counters:
            return []
        roots = dict.fromkeys((*access.index, access.guard))
        found = dict.fromkeys(part for root in roots for part in T.subterms(root) if part.data in self.counters)
        return list(found)[:MAX_TICKETS]

    def one_instance(self, one: Access, two: Access, across_blocks: bool) -> bool:
        if one.space is Space.GLOBAL:
            return True
        return not across_blocks and one.interval.shared.barrier == two.interval.shared.barrier

    def distinct(self, mine: Term, yours: Term, left: View, right: View) -> Formula:
        """If both were drawn, from one cell, in one instance: one interval lies below the other."""
        one, two = self.instance(mine), self.instance(yours)
        dims = self.context.kernel.array(one.array).dims
        cells = [flatten(dims, (self.encoder.index(part, view) for part in access.index))
                 for access, view in ((one, left), (two, right))]
        together = P.TRUE
        if one.space is Space.SHARED:
            together = same_rounds(self.encoder, one.interval.shared, two.interval.shared, left, right)
        low, high = self.encoder.number(mine, left), self.encoder.number(yours, right)
        apart = (self.counted(one, low, high) if one.atomic is not None and one.atomic.op == "inc" else
                 P.disj((P.le(low + _amount(one), high), P.le(high + _amount(two), low))))
        both = (self.encoder.truth(one.guard, left), self.encoder.truth(two.guard, right), P.eq(*cells), together)
        return P.implies(P.conj(both), apart)

    def counted(self, access: Access, low: Poly, high: Poly) -> Formula:
        """Counting from 0 up to n and again from 0 gives n + 1 updates distinct results."""
        sites = len({other.value.data for other in self.counters.values() if other.array == access.array})
        draws = self.encoder.number(threads_of_a_block(self.context), ANY).scale(sites)
        if access.space is Space.GLOBAL:
            for axis in AXES:
                draws = draws * self.encoder.number(self.context.size(Quantity.GRID_DIM, axis), ANY)
        return P.disj((P.lt(_amount(access).plus(1), draws), P.neg(P.eq(low, high))))

    def instance(self, ticket: Term) -> Access:
        """The update that a ticket was drawn by, in the rounds that it was drawn in, and when that happened."""
        access = self.counters[ticket.data]
        then = dict(zip(access.value.args, ticket.args, strict=True))
        then = {symbol: value for symbol, value in then.items() if symbol is not value}
        if not then:
            return access
        shared = access.interval.shared
        return replace(access, guard=T.substitute(access.guard, then), value=ticket,
                       index=tuple(T.substitute(part, then) for part in access.index),
                       interval=replace(access.interval, shared=replace(
                            shared, rounds=tuple(T.substitute(part, then) for part in shared.rounds))))


def tickets(context: Context, footprint: Footprint, encoder: Encoder, used: set[str]) -> Tickets:
    """The counters of a footprint. `used`: takes up those that are."""
    counters: dict[object, Access] = {}
    for access in footprint.accesses:
        if access.kind == "atomic" and _only_grows(access, footprint):
            counters[access.value.data] = access
    return Tickets(context, encoder, counters, used)


def _amount(access: Access) -> Poly:
    return Poly.number(int(T.constant_value(access.operands[0]) or 0))


def _only_grows(access: Access, footprint: Footprint) -> bool:
    """Whether, while a counter hands out this ticket, nothing happens to it but additions of constants above zero, or but
    counting up to one constant, once a thread."""
    if access.space is Space.PRIVATE or access.atomic is None or access.atomic.op not in ("add", "inc") or any(
            other.part for other in footprint.writes if other.array == access.array):
        return False
    for other in footprint.writes:
        if other.array != access.array:
            continue
        if other.atomic is None:
            if access.space is Space.GLOBAL or other.interval.shared.barrier == access.interval.shared.barrier:
                return False
            continue
        amount = T.constant_value(other.operands[0])
        if other.atomic.op != access.atomic.op or amount is None or not other.operands[0].type.is_int or amount <= 0:
            return False
        if access.atomic.op == "inc" and (other.operands != access.operands or other.rounds):
            return False
    return True
