"""Non-interference: two distinct threads, one cell, at least one write.

For a pair of accesses (x, y) of one array the formula is

    guard_x(t1) and guard_y(t2) and index_x(t1) = index_y(t2) and t1 != t2

with t1, t2 in one block when both accesses lie in the same barrier interval (HotPar 2010, section 4),
and with t1, t2 in different blocks, whatever the intervals, for global memory: only a barrier of the grid orders blocks.
A barrier of a warp orders its lanes: t1, t2 of intervals that one parts lie in different warps. Atomic updates do not
conflict with each other, where their scope covers both threads. Unsatisfiable for all pairs of an array: no race on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import TypeVar

from automata.lang.core import Quantity, Space
from automata.limits import RACES
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, View
from automata.logic.ladder import Limits, injective
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Sat, Unknown, Unsat
from automata.logic.terms import Term, constant_value
from automata.passes import passing
from automata.place import TIME_IS_UP
from automata.proof.known.context import FIRST, SAME_BLOCK, SECOND, Context, distinct, same_rounds, same_warp
from automata.proof.known.footprint import Access, Footprint
from automata.proof.obligations.handed import Handing
from automata.proof.obligations.memory import handed_on, reads_memory, traceable, tracer_of
from automata.proof.obligations.told import told
from automata.proof.obligations.trace import CannotTrace, Tracer
from automata.proof.symbolic.rows import Row, flat_index, halves, is_family, rows
from automata.proof.symbolic.tickets import tickets
from automata.thread.segments import WIDTH, Copying

SOON = Limits(linear=200, linearised=200, nonlinear=200, first=100)
"""For a model that may be found in another way, too."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two accesses that may interfere, or two rows of them, and how: threads of one block or of two."""

    rows: tuple[Row, Row]
    across_blocks: bool

    @property
    def first(self) -> Access:
        return self.rows[0].first

    @property
    def second(self) -> Access:
        return self.rows[1].first

    @property
    def is_single(self) -> bool:
        return all(len(row.members) == 1 for row in self.rows)

    @property
    def is_of_a_copy(self) -> bool:
        """Whether an asynchronous copy makes one of them, or both."""
        return bool(self.first.copier or self.second.copier)

    @property
    def views(self) -> tuple[View, View]:
        if self.across_blocks:
            return View(FIRST, FIRST), View(SECOND, SECOND)
        return View(FIRST, SAME_BLOCK), View(SECOND, SAME_BLOCK)


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with its formula and the answer to it. `same_value`: all models store equal bits."""

    pair: Pair
    formula: Formula
    answer: Answer
    same_value: bool = False


@dataclass
class Interference:
    """All pairs of one array. Pairs decided together share an `Unsat` answer."""

    array: str
    judged: list[Judged]

    @property
    def suspects(self) -> list[Judged]:
        return [item for item in self.judged if not isinstance(item.answer, Unsat)]


@passing("interference")
def check_interference(context: Context, footprint: Footprint, encoder: Encoder, used: set[str],
                       shown: frozenset[str] = frozenset(), agreed: frozenset[str] = frozenset()) -> list[Interference]:
    """The answer for every array that is written and has any cell, but for those that are shown to be free of races already: what
    they hold is still followed. `used`: takes up the counters of which it was assumed that they do not wrap; `agreed`: arrays of
    which plain stores to one cell are looked at elsewhere."""
    judge = _Judge(context, footprint, encoder, used)
    groups: dict[str, list[Access]] = {}
    for access in footprint.accesses:
        groups.setdefault(access.array, []).append(access)
    found = []
    for name, accesses in groups.items():
        is_common = accesses[0].space is not Space.PRIVATE and 0 not in context.kernel.array(name).dims
        if is_common and name not in shown and any(access.is_write for access in accesses):
            found.append(judge.array(name, accesses, agrees=name in agreed))
    return found


def keep_apart(context: Context, footprint: Footprint, encoder: Encoder, name: str, used: set[str]) -> bool:
    """Whether no two threads update one cell of an array without a barrier between: as if its atomics were plain writes.
    `used` as above."""
    updates = [access for access in footprint.accesses if access.array == name and access.kind == "atomic"]
    return not _Judge(context, footprint, encoder, used).array(name, updates, is_plain=True).suspects


def pairs(found: list[Row], *, is_plain: bool = False) -> Iterator[Pair]:
    """Pairs of rows of accesses of one array with a write, that no barrier orders. `is_plain`: atomics meet as others do."""
    for both in combinations_with_replacement(found, 2):
        first, second = both[0].first, both[1].first
        if not (first.is_write or second.is_write):
            continue
        space = first.space
        if _may_meet(first, second) and (is_plain or not _are_atomic(first, second, 0)):
            yield Pair(both, False)
        if (space is Space.GLOBAL and first.interval.grid.barrier == second.interval.grid.barrier
                and (is_plain or not _are_atomic(first, second, 1))):
            yield Pair(both, True)


def _may_meet(first: Access, second: Access) -> bool:
    """Whether accesses of one block may come without a barrier between, as far as the text tells: in one interval, or while a
    copy is under way. Of a copy itself the writes may meet, which come in any order."""
    if first.copier and second.copier and first.copier.barrier == second.copier.barrier:
        return first is second and first.is_write
    same = first.interval.of(first.space).barrier == second.interval.of(second.space).barrier
    return same or any(_begun(one, other) for one, other in ((first, second), (second, first)))


def _begun(access: Access, other: Access) -> Copying | None:
    """What an access sees of the copy that makes the other one."""
    begun = (copy for copy in access.interval.copies if other.copier and copy.begun.barrier == other.copier.barrier)
    return next(begun, None)


def _are_atomic(first: Access, second: Access, width: int) -> bool:
    """Whether both are updates that are atomic among more than a warp (width 0), or a block (1), of the same elements."""
    same = first.part == second.part
    return same and all(access.atomic is not None and WIDTH.get(access.atomic.scope, 2) > width for access in (first, second))


class _Judge:
    def __init__(self, context: Context, footprint: Footprint, encoder: Encoder, used: set[str] | None = None) -> None:
        self.context, self.footprint, self.encoder = context, footprint, encoder
        self.tickets = tickets(context, footprint, encoder, set() if used is None else used)
        self.followed = traceable(context, footprint)
        self.findings = 0
        self.left = T.FALSE
        for arrival in footprint.arrivals:
            self.left = T.disjunction(self.left, arrival.left) if arrival.scope == "warp" else self.left
        self.threads = context.coordinates(Quantity.THREAD)
        self.blocks = context.coordinates(Quantity.BLOCK)

    def array(self, name: str, accesses: list[Access], *, is_plain: bool = False, agrees: bool = False) -> Interference:
        judged: list[Judged] = []
        open_pairs: list[tuple[Pair, Formula]] = []
        self.findings = 0
        for pair in pairs(rows(self.context, accesses, self.encoder), is_plain=is_plain):
            if not (agrees and all(access.kind == "write" and access.copier is None for access in (pair.first, pair.second))):
                self.sort(pair, judged, open_pairs)
        return Interference(name, judged + self.decide(open_pairs))

    def sort(self, pair: Pair, judged: list[Judged], open_pairs: list[tuple[Pair, Formula]]) -> None:
        """Put a pair to those that are seen to be apart, or to those that have to be asked."""
        if self.context.is_late():
            judged.append(Judged(pair, P.TRUE, Unknown(TIME_IS_UP)))
            return
        formula = self.formula(pair)
        if formula == P.FALSE or self.peels(pair):
            judged.append(Judged(pair, formula, Unsat("peel" if formula != P.FALSE else "simplified")))
        else:
            open_pairs.append((pair, formula))

    def formula(self, pair: Pair) -> Formula:
        left, right = pair.views
        happens = [self.same_cell(pair), self.encoder.truth(pair.first.guard, left), self.encoder.truth(pair.second.guard, right)]
        if pair.is_of_a_copy and not pair.across_blocks:
            return P.conj((*happens, self.under_way(pair)))
        coordinates = self.blocks if pair.across_blocks else self.threads
        return P.conj((distinct(coordinates, self.encoder, left, right), *happens, self.unordered(pair),
                       self.unfenced(pair), self.tickets.apart(pair.first, pair.second, left, right, pair.across_blocks)))

    def same_cell(self, pair: Pair) -> Formula:
        """Both go to one element; of what pointers in memory lead to, through one cell of the table besides."""
        one, two = (self.element(row, view) for row, view in zip(pair.rows, pair.views, strict=True))
        if not is_family(self.context.kernel.array(pair.first.array)):
            return P.eq(one, two)
        cells = (self.encoder.index(row.first.index[0], view) for row, view in zip(pair.rows, pair.views, strict=True))
        return P.conj((P.eq(*cells), P.eq(one, two)))

    def element(self, row: Row, view: View) -> Poly:
        return flat_index(self.context, row.first, self.encoder, view) + row.offset(self.encoder, view)

    def unordered(self, pair: Pair) -> Formula:
        """No barrier parts the accesses: they come after the same rounds of the last one; if in one warp, of its last too,
        unless a lane has returned without coming to it."""
        one, two = pair.first.interval, pair.second.interval
        if pair.across_blocks:
            return same_rounds(self.encoder, one.grid, two.grid, *pair.views)
        space = pair.first.space
        in_block = same_rounds(self.encoder, one.of(space), two.of(space), *pair.views)
        in_warp = P.FALSE
        if one.warp.barrier == two.warp.barrier:
            in_warp = same_rounds(self.encoder, one.warp, two.warp, *pair.views)
        if in_warp != P.TRUE:
            in_warp = P.disj((in_warp, *(self.encoder.truth(self.left, view) for view in pair.views)))
        return P.conj((in_block, in_warp if in_warp == P.TRUE else P.implies(same_warp(self.context, self.encoder, *pair.views),
                                                                            in_warp)))

    def unfenced(self, pair: Pair, *, surely: bool = False) -> Formula:
        """No barrier with chosen fences parts the accesses: there is none at which both threads fence. `surely`: none at which
        the earlier of the two fences either, so that its access is not released in any reading of the standard."""
        one, two = (access.interval.chosen for access in (pair.first, pair.second))
        between = () if pair.across_blocks else sorted(one ^ two)
        earlier = [view for view, mine, other in zip(pair.views, (one, two), (two, one), strict=True) if not mine > other]
        join = P.disj if surely else P.conj
        return P.neg(P.disj(join([self.encoder.truth(self.footprint.fenced[barrier, pair.first.space], view)
                                  for view in (earlier if surely else pair.views)]) for barrier in between))

    def under_way(self, pair: Pair) -> Formula:
        """An access and a copy of the same block, or two copies: the copy may be under way, as the access sees it; if it sees
        nothing of this copy, no barrier lies between."""
        space = pair.first.space
        if pair.rows[0] is pair.rows[1] and pair.first.copier is not None:
            *outer, mine = (P.eq(*(self.encoder.number(number, view) for view in pair.views)) for number in pair.first.rounds)
            return P.conj((*outer, P.neg(mine)))
        apart = same_rounds(self.encoder, pair.first.interval.of(space), pair.second.interval.of(space), *pair.views) if (
            pair.first.interval.of(space).barrier == pair.second.interval.of(space).barrier) else P.FALSE
        found = []
        for access, other, view, its in ((pair.first, pair.second, *pair.views), (pair.second, pair.first, *pair.views[::-1])):
            seen = _begun(access, other)
            if seen is not None and other.copier is not None:
                this = same_rounds(self.encoder, seen.begun, other.copier, view, its)
                found.append(P.disj((P.conj((this, P.TRUE if seen.is_pending else P.FALSE)), P.conj((P.neg(this), apart)))))
        return P.disj(found) if found else apart

    def peels(self, pair: Pair) -> bool:
        """Rung 1: one access or row against itself, its index an injective sum of strides."""
        row, other = pair.rows
        if row is not other:
            return False
        view = pair.views[0]
        index = self.element(row, view)
        moving = self.threads + (self.blocks if pair.across_blocks else []) + ([row.number] if row.number is not None else [])
        spans = {name: self.span(term) for term in moving
                 for name in self.encoder.number(term, view).atoms()}
        return injective(index, spans, self.encoder, view.thread)

    def span(self, coordinate: Term) -> Poly:
        return self.encoder.number(self.context.range_of(coordinate)[1], View()).plus(1)

    def decide(self, open_pairs: list[tuple[Pair, Formula]]) -> list[Judged]:
        """All at once first, then each half, until the pairs have names that do not stay apart."""
        if not open_pairs:
            return []
        if not RACES.allows(self.findings + 1):
            reason = Unknown("not looked at: enough findings on this array")
            return [Judged(pair, formula, reason) for pair, formula in open_pairs]
        together = P.disj(formula for _, formula in open_pairs)
        answer = self.context.ask([together], self.encoder, model=len(open_pairs) == 1)
        if isinstance(answer, Unsat):
            return [Judged(pair, formula, answer) for pair, formula in open_pairs]
        if len(open_pairs) > 1:
            half = len(open_pairs) // 2
            return self.decide(open_pairs[:half]) + self.decide(open_pairs[half:])
        pair, formula = open_pairs[0]
        if not pair.is_single:
            return self.parted(pair)
        followed = self.traced(pair)
        if isinstance(followed, Unsat):
            return [Judged(pair, formula, Unsat("traced"))]
        if self.footprint.fences and self.is_handed_over(pair, formula):
            return [Judged(pair, formula, Unsat("handed over"))]
        if pair.first.interval.chosen != pair.second.interval.chosen:
            followed, answer = None, self.in_any_case(formula, pair)
        judged = self.refined(pair, formula, answer)
        if isinstance(followed, Sat) and not judged.same_value:
            judged = replace(judged, answer=followed)
        self.findings += not judged.same_value
        return [judged]

    def is_handed_over(self, pair: Pair, formula: Formula) -> bool:
        """Whether fences and a flag order the two accesses, one way or the other."""
        handing = Handing(self.context, self.footprint, self.encoder, formula, pair.across_blocks)
        return self.orders(handing, pair) or (pair.across_blocks and self.is_told(pair))

    def orders(self, handing: Handing, pair: Pair) -> bool:
        one, two = pair.views
        return handing.is_ordered(pair.first, pair.second, one, two) or handing.is_ordered(pair.second, pair.first, two, one)

    def is_told(self, pair: Pair) -> bool:
        """The same, where shared memory tells what was read of the flag; or no two blocks can have read that."""
        def is_ordered(formula: Formula, tracer: Tracer) -> bool:
            is_apart = isinstance(self.context.ask([formula], tracer.encoder, model=False), Unsat)
            return is_apart or self.orders(Handing(self.context, self.footprint, tracer.encoder, formula, True, tracer), pair)

        return self.followed_through(pair, handed_on(self.context, self.footprint), is_ordered) or False

    def followed_through(self, pair: Pair, arrays: frozenset[str], judge: Callable[[Formula, Tracer], Found]) -> Found | None:
        """What is judged of where accesses meet, with what they read of some arrays followed to who has written it; None where
        they read nothing of them, or where it cannot be followed."""
        if not (reads_memory(pair.first, arrays) or reads_memory(pair.second, arrays)):
            return None
        tracer = tracer_of(self.context, self.footprint, arrays)
        try:
            return judge(self.through_memory(pair, tracer, arrays), tracer)
        except CannotTrace:
            return None

    def through_memory(self, pair: Pair, tracer: Tracer, arrays: frozenset[str]) -> Formula:
        """Where the accesses meet, with what is read of some arrays followed to who has written it. The tickets that two blocks
        are told of by threads of their own are distinct."""
        judge = _Judge(self.context, self.footprint, tracer.encoder, self.tickets.used)
        formula = judge.formula(pair)
        if not pair.across_blocks or not judge.tickets.counters:
            return formula
        one, two = ([(ticket, writer.view) for writer, ticket in told(tracer, access, view, arrays, judge.tickets.counters)]
                    for access, view in zip((pair.first, pair.second), pair.views, strict=True))
        return P.conj((formula, judge.tickets.told_apart(one, two)))

    def in_any_case(self, formula: Formula, pair: Pair) -> Answer:
        """Whether two accesses meet that no fence orders, not even that of the earlier thread alone."""
        answer = self.context.ask([formula, self.unfenced(pair, surely=True)], self.encoder)
        what = "what the fence of one thread orders for another that does not fence is not decided"
        return answer if isinstance(answer, Sat) else Unknown(what)

    def parted(self, pair: Pair) -> list[Judged]:
        """A pair of rows that is not shown to be apart as a whole."""
        parts = [halves(self.context, row) for row in dict.fromkeys(pair.rows)]
        choices = product(*parts) if len(parts) == 2 else combinations_with_replacement(parts[0], 2)
        judged: list[Judged] = []
        open_pairs: list[tuple[Pair, Formula]] = []
        for one, two in choices:
            self.sort(Pair((one, two), pair.across_blocks), judged, open_pairs)
        return judged + self.decide(open_pairs)

    def traced(self, pair: Pair) -> Answer | None:
        """The answer where what the accesses depend on is followed through memory; None where that cannot be."""
        return self.followed_through(pair, self.followed, lambda formula, tracer: self.context.ask([formula], tracer.encoder))

    def refined(self, pair: Pair, formula: Formula, answer: Answer) -> Judged:
        """For two writes that can meet: a model in which they store different bits, or that there is none. Where none is found
        soon, it is looked for at the place at hand."""
        if not isinstance(answer, Sat) or {pair.first.kind, pair.second.kind} != {"write"}:
            return Judged(pair, formula, answer)
        first, second = (constant_value(access.value) for access in (pair.first, pair.second))
        if first is not None and second is not None:
            return Judged(pair, formula, answer, pair.first.value is pair.second.value)
        values = [self.encoder.number(access.value, view)
                  for access, view in zip((pair.first, pair.second), pair.views, strict=True)]
        differ = P.neg(P.eq(*values))
        known = sorted({each for relation in P.relations([formula]) for each in relation.poly.atoms()} & answer.model.keys())
        same_place = [P.eq(Poly.atom(each), Poly.number(answer.model[each])) for each in known]
        for limits, place in ((SOON, []), (SOON, same_place), (None, [])):
            sharper = self.context.ask([formula, differ, *place], self.encoder, limits=limits)
            if isinstance(sharper, Sat) or (isinstance(sharper, Unsat) and not place):
                break
        return Judged(pair, formula, sharper if isinstance(sharper, Sat) else answer, isinstance(sharper, Unsat))
