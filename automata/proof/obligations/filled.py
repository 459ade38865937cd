"""Cells that are written before they are read, by whomever.

Input: a read of shared memory. Every write that comes before it (every row of writes, every write of a loop) is turned round
into a *witness* for the cell: a thread, a place in the row and rounds of loops, at which it would go there. The witness is a
guess and needs no proof of its own: the formula says that there is such a thread, that it comes to the write, and writes the
cell. A cell for which no witness holds may be unwritten.

That a thread comes to a round of a loop is told by the test in that round, if the loop ends by its test alone and the test, once
false, stays so (proved for each loop).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from automata.lang.core import Quantity, Space
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import View
from automata.logic.atom import Atom, atom
from automata.logic.inversion import invert, strides_of
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Term
from automata.proof.known.context import ONE, same_rounds, same_warp
from automata.proof.known.footprint import Access
from automata.proof.obligations.trace import MAX_GUESSES, Cell, Tracer, pins, shared_rounds, solved_parts
from automata.proof.symbolic.recurrence import previous
from automata.proof.symbolic.rows import Row, rows
from automata.thread.segments import Epoch

MAX_ROWS = 16
Guess = dict[Atom, Poly]
Sum = tuple[Poly, Poly, dict[Atom, Poly]]
"""A sum of unknowns, what it is in terms of others, and the spans of the unknowns in it."""


class Filling:
    """The witnesses of one footprint. `tracer` says which writes come before a read, and names what belongs to a view."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer, self.encoder, self.context = tracer, tracer.encoder, tracer.context
        self.rows: dict[tuple[int, ...], list[tuple[Row, bool]]] = {}
        self.lasting: dict[Term, bool] = {}
        self.sharing: dict[tuple[Term, ...], bool] = {}

    def before(self, access: Access) -> list[tuple[Row, bool]]:
        """The rows of writes that may come before a read, oldest first; then those of the round before. Of a thread's own array:
        those that the text puts before the read, in the same rounds of the loops that both are in; no round before counts."""
        if access.space is Space.PRIVATE:
            now = [write for write in self.tracer.footprint.writes if write.array == access.array and write.order < access.order]
            then: list[Access] = []
        else:
            now = [write for write in self.tracer.earlier(access) if self.may_share(write, access)]
            then = [write for write in self.tracer.footprint.writes
                    if write.array == access.array and write.atomic is None and self.back(write, access)]
        key = (*(write.order for write in now), -1, *(write.order for write in then))
        if key not in self.rows:
            self.rows[key] = [(row, is_back) for is_back, writes in ((False, now), (True, then))
                              for row in rows(self.context, writes, self.encoder, few=2)]
        return self.rows[key]

    def may_share(self, write: Access, access: Access) -> bool:
        """Whether both may be in the same rounds of the loops that both are in: of the body of a loop with a barrier there is one
        run for its first round, and one for later ones."""
        shared = shared_rounds(write, access)
        told = tuple(dict.fromkeys(
            part for guard in (write.guard, access.guard) for part in T.conjuncts(guard)
            if not {leaf for leaf in T.subterms(part) if leaf.op != "const" and not leaf.args} - set(shared)))
        if told not in self.sharing:
            self.sharing[told] = not isinstance(self.context.ask(
                [self.encoder.truth(part, ONE) for part in told], self.encoder, model=False), Unsat)
        return self.sharing[told]

    def back(self, write: Access, access: Access) -> list[Term]:
        """The rounds of loops that both are in, in the round before of the innermost; or besides, of a loop in which
        the threads of the block meet, in the round before the read left it: all have left it in the same."""
        shared = shared_rounds(write, access)
        rest = write.rounds[len(shared):]
        parts = set(T.subterms(access.guard)) if rest else set()
        left = [number for number in rest[:1] if number in self.tracer.footprint.meeting and number in parts]
        return shared + left if len(shared) == len(access.rounds) else shared

    def unwritten(self, access: Access, view: View, cell: Cell) -> Iterator[Formula]:
        """Formulas that a view's read sees a cell nobody wrote, each stronger than the last: one that is unsatisfiable proves
        that it is written. Oldest writes come first: the one that fills the array before anything else often suffices."""
        found = self.encoder.truth(access.guard, view)
        for number, (row, is_back) in enumerate(self.before(access)[:MAX_ROWS]):
            found = P.conj((found, *(P.conj((known, P.neg(valid)))
                                     for valid, known in self.witnesses(access, row, is_back, view, cell))))
            if number in (0, 1, 3, 7):
                yield found
        yield found

    def witnesses(self, access: Access, row: Row, is_back: bool, view: View, cell: Cell) -> Iterator[tuple[Formula, Formula]]:
        """For each guess that a thread writes the cell in a row of writes, and what is known of that thread anyway. A barrier
        lies between, or it is the reading thread itself. `is_back`: in the round before."""
        write = row.first
        tracer = self.tracer
        shared = self.back(write, access) if is_back else shared_rounds(write, access)
        then = {shared[-1]: previous(shared[-1])} if is_back else {}
        epoch, here = write.interval.of(write.space), access.interval.of(access.space)
        is_own = write.space is Space.PRIVATE
        in_block = not is_own and Epoch(epoch.barrier, tuple(T.substitute(part, then) for part in epoch.rounds)) != here
        in_warp = not is_own and not is_back and tracer.is_ordered_in_warp(write, access)
        by_others = in_block or in_warp
        alone = [number for number in write.rounds if number not in shared]
        if not all(self.lasts(number) for number in alone):
            return
        threads = self.context.coordinates(Quantity.THREAD)
        unknown = (threads if by_others else []) + alone + ([row.number] if row.number is not None else [])
        known = {term: self.encoder.number(then.get(term, term), view) for term in (*shared, *(threads if not by_others else ()))}
        free = self.view("u", view, known)
        for guess in islice(self.guesses(row, free, cell, unknown), MAX_GUESSES):
            bound = self.view("w", view, {**known, **{term: guess[tracer.name(term, free)] for term in unknown}})
            exists = P.conj(tracer.in_range(term, guess[tracer.name(term, free)]) for term in unknown)
            valid = [exists, self.encoder.truth(write.guard, bound),
                     P.eq(tracer.flat(write.array, self.index(row, bound)), tracer.flat(write.array, cell))]
            if not in_block and in_warp:
                valid.append(same_warp(self.context, self.encoder, bound, view))
            if is_back:
                valid.append(P.le(Poly.number(1), self.encoder.number(shared[-1], view)))
                if in_block and epoch.barrier == here.barrier:
                    valid.append(P.neg(same_rounds(self.encoder, epoch, here, bound, view)))
            known_too = P.conj((tracer.known(write, bound), self.together(access, shared, is_back, bound, view)))
            yield P.conj(valid), P.implies(exists, known_too)

    def together(self, access: Access, shared: list[Term], is_back: bool, bound: View, view: View) -> Formula:
        """What is known of a thread of the block because the reading one is in these rounds of loops in which they meet, or has
        left one in a round: it came to the head of each in the round in question."""
        footprint = self.tracer.footprint
        found = []
        for number in shared:
            if number in footprint.meeting and number in footprint.heads:
                there = [self.encoder.truth(footprint.left[number][1], view)] if number not in access.rounds else []
                if is_back and number is shared[-1]:
                    there.append(P.le(Poly.number(1), self.encoder.number(number, view)))
                found.append(P.implies(P.conj(there), self.encoder.truth(footprint.heads[number], bound)))
        return P.conj(found)

    def view(self, mark: str, view: View, numbers: Mapping[Term, Poly]) -> View:
        """A thread of the same block of which some numbers are known."""
        made = View(f"{mark}{self.encoder.fresh()}", view.block, is_inverse=mark == "w")
        for term, value in numbers.items():
            self.encoder.bindings[self.tracer.name(term, made)] = value
        return made

    def index(self, row: Row, view: View) -> Cell:
        """Where a view goes, dimension by dimension; the step of a row counts in the outermost that it is a multiple of."""
        parts = [self.encoder.index(part, view) for part in row.first.index]
        if row.number is not None:
            sizes = self.context.kernel.array(row.first.array).dims
            stride, at = 1, len(parts) - 1
            while at and sizes[at] is not None and row.step % (stride * (sizes[at] or 1)) == 0:
                stride *= sizes[at] or 1
                at -= 1
            parts[at] = parts[at] + self.encoder.number(row.number, view).scale(row.step // stride)
        return tuple(parts)

    def lasts(self, number: Term) -> bool:
        """Whether a loop ends by its test alone, and the test that held in a round held in all before it."""
        if number not in self.lasting:
            tests = self.tracer.footprint.tests.get(number, [])
            later = P.le(Poly.number(1), self.encoder.number(number, ONE))
            self.lasting[number] = bool(tests) and all(isinstance(self.context.ask(
                [later, self.encoder.truth(test, ONE), P.neg(self.encoder.truth(
                    T.substitute(test, {number: previous(number)}), ONE))], self.encoder, model=False), Unsat) for test in tests)
        return self.lasting[number]

    # -- guesses --------------------------------------------------------------------------------

    def guesses(self, row: Row, free: View, cell: Cell, unknown: list[Term]) -> Iterator[Guess]:
        """Values of the unknown numbers, by the names they have in a free view, at which it may go to the cell."""
        names = [self.tracer.name(term, free) for term in unknown]
        spans = {name: self.tracer.span(term) for name, term in zip(names, unknown, strict=True)}
        index = self.index(row, free)
        swapped, whole, sums = self.unfolded(index, spans)
        guard = self.encoder.truth(row.first.guard, free)
        pinned = pins(guard, set(spans), swapped)
        open_spans = {name: span for name, span in spans.items() if name not in pinned}
        found = [list(islice(invert(part.replace(swapped).replace(pinned), want, open_spans, self.encoder), MAX_GUESSES))
                 for part, want in zip(index, cell, strict=True)]
        for solution in solved_parts(found, pinned):
            guess = {name: solution.get(name, Poly({})) for name in spans}
            told = {**guess, **{name: value.replace(guess) for name, value in whole.items()}}
            for complete in self.taken_apart(told, guess, sums):
                mentioned = {each for name in names for each in complete[name].atoms() if free.thread in each.owners}
                if all(self.is_apart(each, set(names)) for each in mentioned):
                    yield complete

    def taken_apart(self, told: Guess, guess: Guess, sums: list[Sum]) -> Iterator[Guess]:
        """Guesses in which each sum of unknowns has the value that was found for it."""
        if not sums:
            yield told
            return
        (value, total, spans), *rest = sums
        for found in islice(invert(value, total.replace(guess), spans, self.encoder), MAX_GUESSES):
            yield from self.taken_apart({**told, **found}, guess, rest)

    def is_apart(self, each: Atom, names: set[Atom]) -> bool:
        """Whether an atom of the free view means something that does not depend on the unknown numbers."""
        facts = self.encoder.closure(P.eq(Poly.atom(each), Poly({})))
        return each not in names and not any(P.atoms(fact) & names for fact in facts)

    def unfolded(self, index: Cell, spans: dict[Atom, Poly]) -> tuple[Guess, Guess, list[Sum]]:
        """For an unknown x of which the index has a quotient (x + c) / d: that quotient and the remainder are the unknowns. So
        also of a sum of unknowns, t + 128·r say, that is divided.

        Returned: what stands for the atoms of the index; x in terms of the new unknowns, which replace it in `spans`; the sums.
        """
        swapped: Guess = {}
        whole: Guess = {}
        sums: list[Sum] = []
        for floor in dict.fromkeys(name for part in index for name in sorted(part.atoms()) if name in self.encoder.floors):
            value, size = self.encoder.floors[floor]
            inside = sorted(value.atoms() & spans.keys())
            lead = next((name for name in inside if value.coefficient(name) == Poly.number(1)), None)
            if lead is None or size.atoms() & spans.keys() or (len(inside) > 1 and strides_of(value, set(inside)) is None):
                continue
            rest = value - Poly.atom(lead)
            upper, lower = (atom((what, floor), f"{floor.text} {what}", parts=(floor,)) for what in ("of it", "left"))
            total = size * Poly.atom(upper) + Poly.atom(lower)
            if len(inside) == 1:
                whole[lead] = total - rest
            else:
                sums.append((value, total, {name: spans[name] for name in inside}))
            spans |= {upper: _quotients(value, spans, inside, size), lower: size}
            for name in inside:
                del spans[name]
            swapped[floor] = Poly.atom(upper)
            swapped[lead] = total - rest
        return swapped, whole, sums


def _quotients(value: Poly, spans: Mapping[Atom, Poly], inside: list[Atom], size: Poly) -> Poly:
    """How many values the quotient of a sum of unknowns by a size has at most; the sum's, where they are no numbers."""
    reach = sum((value.coefficient(name) * spans[name].plus(-1) for name in inside), Poly({}))
    moving = sum((value.coefficient(name) * Poly.atom(name) for name in inside), Poly({}))
    most, offset = reach.constant, (value - moving).constant
    if most is None or offset is None or size.constant is None or size.constant <= 0:
        return sum((value.coefficient(name) * spans[name] for name in inside), Poly({}))
    return Poly.number((most + max(offset, 0)) // size.constant + 1)
