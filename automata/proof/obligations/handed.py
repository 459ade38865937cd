"""Memory that is handed over by a flag: accesses that a released update and an acquired reading of one cell order.

Input: two accesses of two threads that no barrier orders, with the formula for where they meet. Output: whether one always comes
before the other, because the later one is reached only with a value of a flag that cannot be there before the other thread,
behind its access and a fence, has updated the flag. The model is that of CUDA (PTX, memory consistency): a fence and then an
atomic update by the first thread, an atomic access that reads it, or what further updates have made of it, and then a fence by
the second. Both fences and both atomic accesses reach as far as the two threads are apart. An order of memory at an atomic access
(release, acquire) counts as a fence beside that access alone. Two ways to see that the update has come:

- *raised*: of all threads the first one alone changes this flag, each time behind its fence, and the value that was read is not
  the one with which the launch began;
- *counted*: the flag is a counter that each thread raises by one, at most once (or one thread of a block does), and the value
  that was read says that all of them have. So the first thread has, and did so behind its fence.

Each is a query under the formula, so guards, requirements on contents (`flag[0] == 0`) and sizes count. Not followed: updates in
loops that stay, plain stores to a flag, flags in shared memory (with what they begin is not known), OpenCL's fences. A value in a
guard has been read before: that is program order. That a fence stands between two accesses is told by the order of the footprint,
where the fence stands in no loop; in a loop only of one right behind the access that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from automata.lang.core import AXES, Quantity, Space
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, View
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Owner, Term, Version
from automata.proof.known.context import Context, flatten, threads_of_a_block
from automata.proof.known.footprint import Access, Fenced, Footprint
from automata.proof.symbolic.rows import is_family
from automata.thread.segments import WIDTH

OTHER = View("third", "third")
MATE = View("fourth", "third")
MOST_FLAGS = 4
NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0}
"""Updates by these numbers change nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An atomic access whose result decides whether an access is made, as it was in certain rounds of the loops around it."""

    access: Access
    value: Term
    guard: Term
    index: tuple[Term, ...]
    rounds: dict[Term, Term]


@dataclass
class Handing:
    """Looks at pairs of accesses. `formula`: where they meet; `is_wide`: the two threads are of two blocks."""

    context: Context
    footprint: Footprint
    encoder: Encoder
    formula: Formula
    is_wide: bool

    def is_ordered(self, early: Access, late: Access, first: View, second: View) -> bool:
        """Whether the early access always comes before the late one."""
        if early.copier is not None or late.copier is not None:
            return False
        return any(self.has_come(reading, early, late, first, second) for reading in self.readings(late))

    def readings(self, late: Access) -> Iterator[Reading]:
        """The atomic accesses of global memory that an access hangs on, and that reach as far as needed."""
        made = {access.value.data: access for access in self.footprint.accesses if self.reaches(access)}
        found = [part for part in T.subterms(late.guard) if part.data in made]
        for value in found[:MOST_FLAGS]:
            access = made[value.data]
            then = {symbol: at for symbol, at in zip(access.value.args, value.args, strict=True) if symbol is not at}
            index = tuple(T.substitute(part, then) for part in access.index)
            yield Reading(access, value, T.substitute(access.guard, then), index, then)

    def reaches(self, access: Access) -> bool:
        """Whether an atomic access is one of a whole element of global memory, atomic among both threads."""
        kernel = self.context.kernel
        if access.atomic is None or access.space is not Space.GLOBAL or access.part or is_family(kernel.array(access.array)):
            return False
        if kernel.width(access.atomic) > 1:
            return False
        return WIDTH.get(access.atomic.scope, 2) > (1 if self.is_wide else 0)

    def has_come(self, reading: Reading, early: Access, late: Access, first: View, second: View) -> bool:
        updates = [access for access in self.footprint.writes if access.array == reading.access.array and not _is_idle(access)]
        if any(access.rounds or not self.reaches(access) for access in updates):
            return False
        acquired = self.acquired(reading, late)
        read = P.conj((self.formula, self.encoder.truth(reading.guard, second), self.encoder.truth(acquired, second)))
        if acquired is T.FALSE or not self.never(P.conj((self.formula, P.neg(read)))):
            return False
        return self.is_raised(reading, updates, early, first, second) or self.is_counted(reading, updates, early, first, second)

    def is_raised(self, reading: Reading, updates: list[Access], early: Access, first: View, second: View) -> bool:
        """Whether the first thread alone changes the flag, always behind a fence, and the flag has been changed."""
        meets = [(update, P.conj((self.encoder.truth(update.guard, OTHER), self.same_flag(update, OTHER, reading, second))))
                 for update in updates]
        by_others = P.conj((P.disj(happens for _, happens in meets), P.neg(self.is_same(OTHER, first))))
        too_early = P.disj(P.conj((self.encoder.truth(own.guard, first), self.same_flag(own, first, reading, second),
                                   P.neg(self.encoder.truth(released, first)))) for own, released in self.later(early, updates))
        unchanged = P.eq(self.encoder.number(reading.value, second), self.before(reading, second))
        return self.never(P.conj((self.formula, unchanged))) and self.never(P.conj((self.formula, by_others))) and self.never(
            P.conj((self.formula, too_early)))

    def is_counted(self, reading: Reading, updates: list[Access], early: Access, first: View, second: View) -> bool:
        """Whether all who count have counted, the first thread among them, behind its fence."""
        most = self.counting(updates) if reading.access in updates and all(map(_counts, updates)) else None
        if most is None:
            return False
        last = self.before(reading, second) + most.plus(-1)
        has_counted = P.disj(P.conj((self.encoder.truth(own.guard, first), self.same_flag(own, first, reading, second),
                                     self.encoder.truth(released, first))) for own, released in self.later(early, updates))
        counted = [P.le(last, self.encoder.number(reading.value, second)), has_counted]
        for update in updates:
            if update.atomic is not None and update.atomic.op == "inc":
                limit = T.constant_value(update.operands[0])
                counted.append(P.FALSE if limit is None else P.le(last, Poly.number(int(limit))))
        return self.never(P.conj((self.formula, P.neg(P.conj(counted)))))

    def counting(self, updates: list[Access]) -> Poly | None:
        """How many updates there are, at most: one of each block, if that is so, else one of each thread, if that is so."""
        number = self.encoder.number
        blocks = Poly.number(1)
        for axis in AXES:
            blocks = blocks * number(self.context.size(Quantity.GRID_DIM, axis), ANY)
        threads = self.context.coordinates(Quantity.THREAD)
        others = P.neg(P.conj(P.eq(number(term, OTHER), number(term, MATE)) for term in threads))
        if self.never(P.disj(P.conj((self.encoder.truth(one.guard, OTHER), self.encoder.truth(two.guard, MATE),
                                     others if one is two else P.TRUE)) for one in updates for two in updates)):
            return blocks
        if self.never(P.disj(P.conj((self.encoder.truth(one.guard, OTHER), self.encoder.truth(two.guard, OTHER)))
                             for one, two in combinations(updates, 2))):
            return blocks * number(threads_of_a_block(self.context), ANY)
        return None

    # -- what is known of flags ----------------------------------------------------------------------

    def cell(self, index: tuple[Term, ...], array: str, view: View) -> Poly:
        return flatten(self.context.kernel.array(array).dims, (self.encoder.index(part, view) for part in index))

    def same_flag(self, update: Access, view: View, reading: Reading, second: View) -> Formula:
        return P.eq(self.cell(update.index, update.array, view), self.cell(reading.index, update.array, second))

    def is_same(self, one: View, other: View) -> Formula:
        """Whether two views are of one thread."""
        terms = (*self.context.coordinates(Quantity.THREAD), *self.context.coordinates(Quantity.BLOCK))
        return P.conj(P.eq(self.encoder.number(term, one), self.encoder.number(term, other)) for term in terms)

    def before(self, reading: Reading, view: View) -> Poly:
        """What the flag held when the launch began. What is required of contents holds of it: it is asked about only where it has
        been reached."""
        element = self.context.kernel.array(reading.access.array).element
        initial = T.read(Version(reading.access.array, Owner.LAUNCH, "initial"), reading.index, element)
        if self.context.facts is not None:
            self.context.facts.guards = {**self.context.facts.guards, initial: T.TRUE}
        return self.encoder.number(T.cast(initial, reading.value.type), view)

    def acquired(self, reading: Reading, late: Access) -> Term:
        """When a fence stands between a reading and an access that comes later."""
        found = T.FALSE
        for fence in self.fences():
            is_beside = (fence.order == reading.access.order + 1 and fence.rounds == reading.access.rounds
                         and self.runs_once(reading.access))
            stands_alone = fence.side in ("both", "late") and not fence.rounds and (
                reading.access.order < fence.order <= late.order)
            if stands_alone or (is_beside and fence.side not in ("release", "early") and fence.order <= late.order):
                found = T.disjunction(found, T.substitute(fence.guard, reading.rounds) if is_beside else fence.guard)
        return found

    def runs_once(self, access: Access) -> bool:
        """Whether the footprint has an access but once: a loop's body with a barrier stands there for two kinds of rounds."""
        alike = [other for other in self.footprint.accesses if (other.place, other.kind) == (access.place, access.kind)]
        return not access.rounds or len(alike) == 1

    def released(self, early: Access, update: Access) -> Term:
        """When a fence stands between an access and an update that comes later."""
        found = T.FALSE
        for fence in self.fences():
            counts = fence.side in ("both", "early") or (fence.side == "release" and fence.order == update.order)
            if counts and not fence.rounds and early.order < fence.order <= update.order:
                found = T.disjunction(found, fence.guard)
        return found

    def later(self, early: Access, updates: list[Access]) -> Iterator[tuple[Access, Term]]:
        """Updates as the thread of an access makes them, each with when it is released. Of loops around the access other rounds
        than that of the access count for them: the one in which the thread has left the loop."""
        numbers = self.footprint.heads if early.rounds else ()
        whose = (*self.context.coordinates(Quantity.THREAD), *self.context.coordinates(Quantity.BLOCK))
        then = {number: T.unknown(f"later {T.symbol_of(number).name}", whose, number.type) for number in numbers}
        for update in updates:
            own = replace(update, guard=T.substitute(update.guard, then),
                          index=tuple(T.substitute(part, then) for part in update.index))
            yield own, T.substitute(self.released(early, update), then)

    def fences(self) -> Iterator[Fenced]:
        """The fences that reach as far as the two threads are apart."""
        scopes = {"device"} if self.is_wide else {"device", "block"}
        return (fence for fence in self.footprint.fences if fence.scope in scopes)

    def never(self, formula: Formula) -> bool:
        return isinstance(self.context.ask([formula], self.encoder, model=False), Unsat)


def _is_idle(access: Access) -> bool:
    """Whether an update changes nothing."""
    if access.atomic is None:
        return False
    values = [T.constant_value(operand) for operand in access.operands]
    if access.atomic.op == "cas":
        return values[0] is not None and values[0] == values[1]
    return access.atomic.op in NEUTRAL and values == [NEUTRAL[access.atomic.op]] and access.operands[0].type.is_int


def _counts(access: Access) -> bool:
    """Whether an update counts up by one."""
    assert access.atomic is not None
    return access.atomic.op == "inc" or (access.atomic.op == "add" and access.operands[0].type.is_int
                                         and T.constant_value(access.operands[0]) == 1)
