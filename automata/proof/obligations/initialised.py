"""Values nobody wrote: shared cells read before a write, locals used before an assignment.

A shared read is safe when the writes before it fill the array, or cover its cell. What is not shown
safe is tried on the machine with two different poisons: where the outputs differ, the kernel's result is not determined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.core import Space
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.atom import atom
from automata.logic.poly import Formula
from automata.logic.smt import Answer, Sat, Unknown, Unsat
from automata.logic.terms import Term
from automata.logic.undefined import Nothing, computed_with_nothing
from automata.logic.views import View
from automata.passes import passing
from automata.place import TIME_IS_UP, Place
from automata.proof.known.context import FIRST, ONE, SAME_BLOCK, SECOND, Context, flatten, same_warp
from automata.proof.known.footprint import Access, Footprint, Given
from automata.proof.obligations.alike_reads import AlikeReads
from automata.proof.obligations.filled import MAX_ROWS, Filling
from automata.proof.obligations.trace import Cell, Tracer
from automata.thread.segments import Interval

MAX_DOUBTS = 4
"""After so many on an array, of which none is harmless, no more of its reads are looked at."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A read or use whose value may be undefined. `array` None: a local.

    `harmless`: whatever the value is, no access, stored value or barrier depends on it. `is_left`: nobody has looked at it here.
    `is_late`: neither at it nor at any behind it, for there was no time.
    """

    place: Place
    array: str | None
    answer: Answer
    harmless: bool = False
    is_left: bool = False
    is_late: bool = False


@passing("initialised")
def check_initialised(context: Context, footprint: Footprint, encoder: Encoder, left: frozenset[str] = frozenset(),
                      settled: frozenset[str] = frozenset()) -> list[Doubt]:
    """All doubts that the proofs leave; of arrays that are left to others one for each that is read; none of arrays that are
    settled."""
    tracer = Tracer(context, footprint, encoder,
                    lambda formula: isinstance(context.ask([formula], encoder, model=False), Unsat))
    filling = Filling(tracer)
    doubts = [Doubt(place, None, Unknown("a local without a value in a loop, or before one"))
              for place in dict.fromkeys((*footprint.undefined, *_hidden(footprint)))]
    written = _Written(context, filling, encoder)
    alike = AlikeReads(context, footprint, encoder, written.is_written)
    counts: Counter[str] = Counter()
    read = {access.array: access.place for access in reversed(footprint.accesses)
            if access.array in left and access.kind != "write" and access.space is not Space.GLOBAL}
    doubts += [Doubt(place, array, Unknown("left to the runs on symbols"), is_left=True) for array, place in read.items()]
    for access in footprint.accesses:
        if access.array in left or access.array in settled:
            continue
        if context.is_late():
            return [*doubts, Doubt(access.place, access.array, Unknown(TIME_IS_UP), is_late=True)]
        if access.space is Space.PRIVATE and access.kind == "read" and counts[access.array] < MAX_DOUBTS:
            answer = _private(context, footprint, access, encoder, filling)
            if not isinstance(answer, Unsat):
                doubts.append(Doubt(access.place, access.array, answer))
                counts[access.array] += 1
        is_shared = access.space is Space.SHARED and access.kind != "write"
        if is_shared and counts[access.array] < MAX_DOUBTS and not alike.covers(access):
            answer = written.doubt(access)
            if isinstance(answer, Unsat):
                alike.note(access)
            else:
                harmless = isinstance(answer, Sat) and _is_harmless(context, footprint, filling, access, encoder)
                doubts.append(Doubt(access.place, access.array, answer, harmless))
                counts[access.array] += not harmless
    return doubts + list(_locals(context, footprint, encoder))


def _locals(context: Context, footprint: Footprint, encoder: Encoder) -> Iterator[Doubt]:
    """Locals without a value in what a thread does."""
    does = [(item.guard, _does(item), item.place) for item in footprint.accesses
            if item.space is not Space.PRIVATE or item.value.op != "undef"]
    nothing = Nothing()
    passed = _Passed(context, encoder, nothing)
    does += [(item.guard, (item.guard, *(item.terms if item.is_set or passed.agree(item) else item.all)), item.place)
             for item in footprint.given]
    for guard, roots, place in does:
        if context.is_late():
            yield Doubt(place, None, Unknown(TIME_IS_UP), is_late=True)
            return
        answer = _local(context, guard, roots, encoder, nothing)
        if not isinstance(answer, Unsat):
            yield Doubt(place, None, answer)


class _Passed:
    """Whether the lanes of a warp agree on whether what they hand on has a value."""

    def __init__(self, context: Context, encoder: Encoder, nothing: Nothing) -> None:
        self.context, self.encoder, self.nothing = context, encoder, nothing
        self.known: dict[tuple[Term, Term], bool] = {}

    def agree(self, item: Given) -> bool:
        """So the lane that a value comes from has one exactly if the lane that it goes to had one to give."""
        return all(self._agree(item.guard, self.nothing.of(value)) for value in item.passed)

    def _agree(self, guard: Term, nothing: Term) -> bool:
        key = guard, nothing
        if key not in self.known:
            one, two = (View(name, SAME_BLOCK) for name in (FIRST, SECOND))
            truth = self.encoder.truth
            formula = P.conj((truth(guard, one), truth(guard, two), truth(nothing, one), P.neg(truth(nothing, two)),
                              same_warp(self.context, self.encoder, one, two)))
            self.known[key] = isinstance(self.context.ask([formula], self.encoder, model=False), Unsat)
        return self.known[key]


def _hidden(footprint: Footprint) -> list[Place]:
    """The loops whose locals without a value get into something that is done."""
    roots: dict[Term, None] = {}
    for access in footprint.accesses:
        roots |= dict.fromkeys(_does(access))
    for given in footprint.given:
        roots |= dict.fromkeys((given.guard, *given.all))
    for arrival in footprint.arrivals:
        roots[arrival.full] = None
    names = {part.data for root in roots for part in T.subterms(root) if part.op == "call"}
    return list(dict.fromkeys(place for name, place in footprint.hiding.items() if name in names))


class _Written:
    """Whether reads of shared memory see cells that nobody wrote.

    Either the writes before fill the array, or they write the cell. Reads of one array are mostly decided alike: what decided the
    one before is asked first. So much is order alone; where it does not decide, everything is asked.
    """

    def __init__(self, context: Context, filling: Filling, encoder: Encoder) -> None:
        self.context, self.filling, self.encoder = context, filling, encoder
        self.filled: dict[tuple[tuple[int, ...], Term, Interval, tuple[Term, ...]], bool] = {}
        self.by_cell: set[str] = set()
        """Arrays of which the read before was decided by its cell, and not because all is filled."""
        self.decided: dict[tuple[str, bool], int] = {}
        """Which of the growing formulas decided last, of an array: of its cells (True), or of filling it."""

    def doubt(self, access: Access) -> Answer:
        """Unsat if it is written; else a model of the strongest formula, or why there is none."""
        strongest = self._strongest(access)
        if strongest is None:
            return Unsat("the writes before write the cell")
        answer = self.context.ask([strongest], self.encoder)
        if isinstance(answer, Unknown) and len(self.filling.before(access)) > MAX_ROWS:
            return Unknown(f"more than {MAX_ROWS} rows of writes may come before this read")
        return answer

    def is_written(self, access: Access) -> bool:
        """Whether it is shown to be written."""
        return self._strongest(access) is None

    def _strongest(self, access: Access) -> Formula | None:
        """None if it is shown to be written, else the strongest formula that it is not."""
        if access.array not in self.by_cell and self._is_filled(access):
            return None
        strongest = self._open(access, tuple(self.encoder.index(part, ONE) for part in access.index), True)
        if strongest is None:
            self.by_cell.add(access.array)
        elif access.array in self.by_cell and self._is_filled(access):
            self.by_cell.discard(access.array)
            return None
        return strongest

    def _is_filled(self, access: Access) -> bool:
        """Whether the writes before a read fill every cell of the array; asked once for all reads of a place."""
        dims = self.context.kernel.array(access.array).dims
        if None in dims:
            return False
        key = tuple(row.first.order for row, _ in self.filling.before(access)), access.guard, access.interval, access.rounds
        if key not in self.filled:
            anywhere = [atom(("anywhere", access.array, position), "anywhere") for position in range(len(dims))]
            cell = tuple(self.encoder.known(part, (0, (size or 1) - 1)) for part, size in zip(anywhere, dims, strict=True))
            self.filled[key] = self._open(access, cell, False) is None
        return self.filled[key]

    def _open(self, access: Access, cell: Cell, is_its: bool) -> Formula | None:
        """None if a cell is shown to be written; else the strongest formula that it is not. `is_its`: the cell that is read."""
        key = access.array, is_its
        first = self.decided.get(key, 0)
        formulas: list[Formula] = []
        for number, formula in enumerate(self.filling.unwritten(access, ONE, cell)):
            formulas.append(formula)
            if number >= first and self._is_none(formula):
                self.decided[key] = number
                return None
        for number, formula in enumerate(formulas[:first]):
            if self._is_none(formula):
                self.decided[key] = number
                return None
        return formulas[-1]

    def _is_none(self, formula: Formula) -> bool:
        return isinstance(self.context.ask([formula], self.encoder, model=False), Unsat)


def _private(context: Context, footprint: Footprint, access: Access, encoder: Encoder, filling: Filling) -> Answer:
    """Whether a thread may read a cell of its own that it has not written: in straight code, in the round that both are in, or in
    all rounds of a loop before."""
    dims = context.kernel.array(access.array).dims
    cell = flatten(dims, (encoder.index(part, ONE) for part in access.index))
    open_ones, emptied = [encoder.truth(access.guard, ONE)], P.FALSE
    for write in reversed(footprint.writes):
        if write.array == access.array and write.order < access.order:
            same = P.eq(flatten(dims, (encoder.index(part, ONE) for part in write.index)), cell)
            happens = P.conj((encoder.truth(write.guard, ONE), same))
            if write.value.op == "undef":
                emptied = P.disj((emptied, happens))
            elif write.rounds == access.rounds[:len(write.rounds)]:
                open_ones.append(P.disj((P.neg(happens), emptied)))
    answer = context.ask(open_ones, encoder, model=False)
    is_emptied = any(write.value.op == "undef" for write in footprint.writes if write.array == access.array)
    if not isinstance(answer, Unsat) and not is_emptied:
        for formula in filling.unwritten(access, ONE, tuple(encoder.index(part, ONE) for part in access.index)):
            answer = context.ask([formula], encoder)
            if isinstance(answer, Unsat):
                break
    return answer if isinstance(answer, Unsat | Sat) else Unknown("a thread's own array that may be read before it is written")


def _is_harmless(context: Context, footprint: Footprint, filling: Filling, access: Access, encoder: Encoder) -> bool:
    """Whether nothing a thread does depends on the value it reads where nobody wrote."""
    if any(access.value in T.subterms(value) for value in footprint.carried):
        return False
    *_, nobody_wrote = filling.unwritten(access, ONE, tuple(encoder.index(part, ONE) for part in access.index))
    one, two = (T.undefined((name, access.value.serial), access.value.type) for name in ("one", "two"))
    roots: list[tuple[Term, tuple[Term, ...]]] = [
        (arrival.full, (arrival.full, arrival.control)) for arrival in footprint.arrivals]
    roots += [(item.guard, _does(item)) for item in footprint.accesses]
    roots += [(item.guard, (item.guard, *item.all)) for item in footprint.given]
    for guard, parts in roots:
        users = [part for part in parts if access.value in T.subterms(part)]
        if not users:
            continue
        changed = [tuple(T.substitute(part, {access.value: value}) for value in (one, two)) for part in users]
        differ = P.disj(_uses(mine, other, encoder) for mine, other in changed)
        happens = P.disj(encoder.truth(T.substitute(guard, {access.value: value}), ONE) for value in (one, two))
        if not isinstance(context.ask([happens, nobody_wrote, differ], encoder, model=False), Unsat):
            return False
    return True


def _does(access: Access) -> tuple[Term, ...]:
    """What an access does: whether it happens, where, and what it stores."""
    return (access.guard, *access.index, *access.operands, *((access.value,) if access.kind == "write" else ()))


def _local(context: Context, guard: Term, roots: tuple[Term, ...], encoder: Encoder, nothing: Nothing) -> Answer:
    """Whether something that is done when a guard holds has no value: `v - v` has none either."""
    tests = [test for root in roots if (test := nothing.of(root)) is not T.FALSE]
    if not tests:
        return Unsat("no undefined value")
    return context.ask([encoder.truth(guard, ONE), P.disj(encoder.truth(test, ONE) for test in tests)], encoder)


def _uses(root: Term, other: Term, encoder: Encoder) -> Formula:
    """Whether a value hangs on undefined ones, which the other has by other names, or is computed with them."""
    return P.disj((_differ(root, other, encoder), encoder.truth(computed_with_nothing(root), ONE)))


def _differ(left: Term, right: Term, encoder: Encoder) -> Formula:
    if left.type is T.TRUE.type:
        one, two = encoder.truth(left, ONE), encoder.truth(right, ONE)
        return P.disj((P.conj((one, P.neg(two))), P.conj((two, P.neg(one)))))
    return P.neg(P.eq(encoder.number(left, ONE), encoder.number(right, ONE)))
