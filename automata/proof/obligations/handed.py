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

**Passed on within a block** (for two threads of two blocks). Another thread of the first's block may update the flag, behind a
barrier of the block and a fence; another one of the second's block may have read it, pass a fence, and then tell what it has read
by a cell of shared memory that is read behind a barrier (`memory.handed_on`). A barrier orders all that its block did before it.
Where both fences are sequentially consistent, as `__threadfence()` is, they may also stand on the far sides of these barriers: at
the first thread behind its access, at the second before its own. For then the order of all such fences puts the first one before
the other: the other way round, what was read would come before the update that it reads (PTX, "Causality Order").

Each is a query under the formula, so guards, requirements on contents (`flag[0] == 0`) and sizes count. Not followed: updates in
loops that stay, plain stores to a flag, flags in shared memory (with what they begin is not known), OpenCL's fences. A value in a
guard has been read before: that is program order. That a fence stands between two accesses is told by the order of the footprint,
where the fence stands in no loop; in a loop only of one right behind the access that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from automata.lang.core import AXES, Quantity, Space
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, View
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Owner, Term, Version
from automata.proof.known.context import Context, flatten, threads_of_a_block
from automata.proof.known.footprint import Access, Fenced, Footprint
from automata.proof.obligations.memory import handed_on
from automata.proof.obligations.told import told
from automata.proof.obligations.trace import Tracer, Writer
from automata.proof.symbolic.rows import is_family
from automata.thread.segments import WIDTH, Interval

OTHER = View("third", "third")
MATE = View("fourth", "third")
MOST_FLAGS = 4
ALONE = ("both", "acq_rel", "early", "late")
"""The sides of fences that belong to no atomic access."""
NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0}
"""Updates by these numbers change nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An atomic access whose result decides whether an access is made, as it was in certain rounds of the loops around it.

    `view`: the thread that made it; `told`: where another thread than that of the access has made it, the writer that has stored
    what was read.
    """

    access: Access
    value: Term
    guard: Term
    index: tuple[Term, ...]
    rounds: dict[Term, Term]
    view: View
    told: Writer | None = None


@dataclass
class Handing:
    """Looks at pairs of accesses.

    `formula`: where they meet; `is_wide`: the two threads are of two blocks; `tracer`: follows what is told by shared memory, in
    the same encoder; `is_sequential`: all fences that are looked at are sequentially consistent, and may stand on the far sides
    of barriers.
    """

    context: Context
    footprint: Footprint
    encoder: Encoder
    formula: Formula
    is_wide: bool
    tracer: Tracer | None = None
    is_sequential: bool = False

    def is_ordered(self, early: Access, late: Access, first: View, second: View) -> bool:
        """Whether the early access always comes before the late one."""
        if early.copier is not None or late.copier is not None:
            return False
        return any(way.has_come(reading, early, late, first, second) for reading in self.readings(late, second)
                   for way in ((self, replace(self, is_sequential=True)) if self.is_wide else (self,)))

    def readings(self, late: Access, second: View) -> Iterator[Reading]:
        """The atomic accesses of global memory that an access hangs on, and that reach as far as needed."""
        made = {access.value.data: access for access in self.footprint.accesses if self.reaches(access)}
        found = [part for part in T.subterms(late.guard) if part.data in made]
        for value in found[:MOST_FLAGS]:
            access = made[value.data]
            then = {symbol: at for symbol, at in zip(access.value.args, value.args, strict=True) if symbol is not at}
            index = tuple(T.substitute(part, then) for part in access.index)
            yield Reading(access, value, T.substitute(access.guard, then), index, then, second)
        if self.tracer is None or not self.is_wide:
            return
        for writer, value in told(self.tracer, late, second, handed_on(self.context, self.footprint), made):
            access = made[value.data]
            yield Reading(access, value, access.guard, access.index, {}, writer.view, writer)

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
        acquired = self.acquired(reading, late, second)
        read = P.conj((self.formula, P.TRUE if reading.told is None else reading.told.valid,
                       self.encoder.truth(reading.guard, reading.view), acquired))
        if acquired == P.FALSE or not self.never(P.conj((self.formula, P.neg(read)))):
            return False
        return self.is_raised(reading, updates, early, first) or self.is_counted(reading, updates, early, first)

    def is_raised(self, reading: Reading, updates: list[Access], early: Access, first: View) -> bool:
        """Whether the flag has been changed, by the first thread or its block alone, each time behind a fence."""
        apart = self.differ(Quantity.BLOCK, OTHER, first) if self.is_wide else self.is_another(OTHER, first)
        by_others = P.disj(self.updated(update, OTHER, reading) for update in updates)
        unchanged = P.eq(self.encoder.number(reading.value, reading.view), self.before(reading))
        return all(self.never(P.conj((self.formula, each))) for each in (
            unchanged, P.conj((by_others, apart)), self.too_early(reading, updates, early, first)))

    def too_early(self, reading: Reading, updates: list[Access], early: Access, first: View) -> Formula:
        """An update by the first thread, or another one of its block, that may not show what the first did before."""
        found = [P.conj((self.updated(own, first, reading), P.neg(self.encoder.truth(released, first))))
                 for own, released in self.later(early, updates)]
        if self.is_wide:
            mate = View(MATE.thread, first.block)
            found += [P.conj((self.updated(update, mate, reading), self.is_another(mate, first),
                              P.neg(self.passed_on(early, update, first, mate)))) for update in updates]
        return P.disj(found)

    def is_counted(self, reading: Reading, updates: list[Access], early: Access, first: View) -> bool:
        """Whether all who count have counted, the first thread or one of its block among them, always behind a fence."""
        most, is_of_blocks = self.counting(updates) if reading.access in updates and all(map(_counts, updates)) else (None, False)
        if most is None:
            return False
        last = self.before(reading) + most.plus(-1)
        counted = [P.le(last, self.encoder.number(reading.value, reading.view))]
        for update in updates:
            if update.atomic is not None and update.atomic.op == "inc":
                limit = T.constant_value(update.operands[0])
                counted.append(P.FALSE if limit is None else P.le(last, Poly.number(int(limit))))
        if not self.never(P.conj((self.formula, P.neg(P.conj(counted))))):
            return False
        has_counted = P.disj(P.conj((self.updated(own, first, reading), self.encoder.truth(released, first)))
                             for own, released in self.later(early, updates))
        return self.never(P.conj((self.formula, P.neg(has_counted)))) or (
            self.is_wide and is_of_blocks and self.never(P.conj((self.formula, self.too_early(reading, updates, early, first)))))

    def counting(self, updates: list[Access]) -> tuple[Poly | None, bool]:
        """How many updates there are, at most: one of each block, if that is so, else one of each thread, if that is so; whether
        it is one of each block."""
        number = self.encoder.number
        blocks = Poly.number(1)
        for axis in AXES:
            blocks = blocks * number(self.context.size(Quantity.GRID_DIM, axis), ANY)
        others = self.differ(Quantity.THREAD, OTHER, MATE)
        if self.never(P.disj(P.conj((self.encoder.truth(one.guard, OTHER), self.encoder.truth(two.guard, MATE),
                                     others if one is two else P.TRUE)) for one in updates for two in updates)):
            return blocks, True
        if self.never(P.disj(P.conj((self.encoder.truth(one.guard, OTHER), self.encoder.truth(two.guard, OTHER)))
                             for one, two in combinations(updates, 2))):
            return blocks * number(threads_of_a_block(self.context), ANY), False
        return None, False

    # -- what is known of flags ----------------------------------------------------------------------

    def cell(self, index: tuple[Term, ...], array: str, view: View) -> Poly:
        return flatten(self.context.kernel.array(array).dims, (self.encoder.index(part, view) for part in index))

    def updated(self, update: Access, view: View, reading: Reading) -> Formula:
        """A thread makes an update of the flag that was read."""
        cells = (self.cell(update.index, update.array, view), self.cell(reading.index, update.array, reading.view))
        return P.conj((self.encoder.truth(update.guard, view), P.eq(*cells)))

    def differ(self, quantity: Quantity, one: View, other: View) -> Formula:
        """Whether two views are of two blocks, or of threads of two places in their blocks."""
        return P.neg(P.conj(P.eq(self.encoder.number(term, one), self.encoder.number(term, other))
                            for term in self.context.coordinates(quantity)))

    def is_another(self, one: View, other: View) -> Formula:
        """Whether two views are of two threads."""
        return P.disj((self.differ(Quantity.THREAD, one, other), self.differ(Quantity.BLOCK, one, other)))

    def before(self, reading: Reading) -> Poly:
        """What the flag held when the launch began. What is required of contents holds of it: it is asked about only where it has
        been reached, by a thread that is there."""
        element = self.context.kernel.array(reading.access.array).element
        initial = T.read(Version(reading.access.array, Owner.LAUNCH, "initial"), reading.index, element)
        if self.context.facts is not None:
            self.context.facts.guards = {**self.context.facts.guards, initial: T.TRUE}
        return self.encoder.number(T.cast(initial, reading.value.type), replace(reading.view, is_inverse=False))

    # -- what fences order ---------------------------------------------------------------------------

    def acquired(self, reading: Reading, late: Access, second: View) -> Formula:
        """When a fence stands between a reading and an access that comes later."""
        if reading.told is not None:
            return self.acquired_by_others(reading, reading.told.access, late, second)
        found = T.FALSE
        for fence in self.fences("late"):
            is_beside = (fence.order == reading.access.order + 1 and fence.rounds == reading.access.rounds
                         and self.runs_once(reading.access))
            stands_alone = fence.side in ALONE and not fence.rounds and reading.access.order < fence.order <= late.order
            if stands_alone or (is_beside and fence.order <= late.order):
                found = T.disjunction(found, T.substitute(fence.guard, reading.rounds) if is_beside else fence.guard)
        return self.encoder.truth(found, second)

    def acquired_by_others(self, reading: Reading, told: Access, late: Access, second: View) -> Formula:
        """The same where another thread may have read: it passes a fence before the barrier behind which it is believed; or the
        thread of the access does behind it."""
        found = []
        for fence in self.fences("late"):
            is_beside = fence.order == reading.access.order + 1 and not fence.rounds
            if (is_beside or (fence.side in ALONE and not fence.rounds and reading.access.order < fence.order)) and (
                    fence.order <= told.order or fence.interval == told.interval):
                found.append(self.encoder.truth(fence.guard, reading.view))
            elif not fence.rounds and told.order < fence.order <= late.order and _are_parted(told.interval, fence.interval):
                is_own = P.TRUE if self.is_sequential else P.neg(self.is_another(reading.view, second))
                found.append(P.conj((self.encoder.truth(fence.guard, second), is_own)))
        return P.disj(found)

    def passed_on(self, early: Access, update: Access, first: View, mate: View) -> Formula:
        """When another thread of the block shows by an update what the first has done: a barrier stands between, and behind it a
        fence of that thread, or before it one of the first."""
        found = []
        for fence in self.between(early, update):
            if _are_parted(early.interval, fence.interval):
                found.append(self.encoder.truth(fence.guard, mate))
            elif self.is_sequential and _are_parted(fence.interval, update.interval):
                found.append(self.encoder.truth(T.substitute(fence.guard, self.then(early)), first))
        return P.disj(found)

    def runs_once(self, access: Access) -> bool:
        """Whether the footprint has an access but once: a loop's body with a barrier stands there for two kinds of rounds."""
        alike = [other for other in self.footprint.accesses if (other.place, other.kind) == (access.place, access.kind)]
        return not access.rounds or len(alike) == 1

    def released(self, early: Access, update: Access) -> Term:
        """When a fence stands between an access and an update that comes later."""
        found = T.FALSE
        for fence in self.between(early, update):
            found = T.disjunction(found, fence.guard)
        return found

    def between(self, early: Access, update: Access) -> Iterator[Fenced]:
        """The fences that stand between an access and an update that comes later, and release what comes before them."""
        return (fence for fence in self.fences("early") if not fence.rounds and early.order < fence.order <= update.order
                and (fence.side in ALONE or fence.order == update.order))

    def then(self, early: Access) -> dict[Term, Term]:
        """Of loops around an access other rounds than that of the access count for what its thread does later: the one in which
        the thread has left the loop."""
        numbers = self.footprint.heads if early.rounds else ()
        whose = (*self.context.coordinates(Quantity.THREAD), *self.context.coordinates(Quantity.BLOCK))
        return {number: T.unknown(f"later {T.symbol_of(number).name}", whose, number.type) for number in numbers}

    def later(self, early: Access, updates: list[Access]) -> Iterator[tuple[Access, Term]]:
        """Updates as the thread of an access makes them, each with when it is released."""
        then = self.then(early)
        for update in updates:
            own = replace(update, guard=T.substitute(update.guard, then),
                          index=tuple(T.substitute(part, then) for part in update.index))
            yield own, T.substitute(self.released(early, update), then)

    def fences(self, side: Literal["early", "late"]) -> Iterator[Fenced]:
        """The fences that reach as far as the two threads are apart, and order what comes before them, or behind them."""
        scopes = {"device"} if self.is_wide else {"device", "block"}
        sides = {"both"} if self.is_sequential else {"both", "acq_rel", side, "release" if side == "early" else "acquire"}
        return (fence for fence in self.footprint.fences if fence.scope in scopes and fence.side in sides)

    def never(self, formula: Formula) -> bool:
        return isinstance(self.context.ask([formula], self.encoder, model=False), Unsat)


def _are_parted(one: Interval, other: Interval) -> bool:
    """Whether a barrier of the block that stands in no loop comes between what a thread does in an interval and what another does
    later, by the order of the text, in another interval."""
    return one.shared != other.shared and one.global_ != other.global_ and not (other.shared.rounds or other.global_.rounds)


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
