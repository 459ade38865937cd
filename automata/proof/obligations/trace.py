"""What a read sees: shared (and global) cells traced to the thread that wrote them.

For a read of cell c, every write of the array that can come before it is turned round: which thread of the block (of the
warp, where only a barrier of the warp lies between) writes c there? Latest first, these writers form a guarded chain
that ends in the initial contents (global memory) or in an undefined value (shared memory). Non-interference makes the
writer of an interval unique; that the inverted thread is the only one that can write there is proved for each inverse
(`Prove`), so a wrong guess of the inversion costs an answer, never soundness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product

from automata.lang.core import Quantity, Space
from automata.limits import WRITERS
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, View
from automata.logic.atom import Atom, Whose, of_symbol
from automata.logic.inversion import invert
from automata.logic.poly import Formula, Poly, Rel
from automata.logic.terms import Owner, Role, Symbol, Term, Version
from automata.logic.views import atom_of
from automata.place import Place
from automata.proof.known.context import Context, flatten, same_warp
from automata.proof.known.footprint import Access, Footprint
from automata.thread.segments import Epoch

Cell = tuple[Poly, ...]
Prove = Callable[[Formula], bool]
Rounds = tuple[tuple[Symbol, Poly], ...]
MAX_GUESSES = 5


class CannotTrace(Exception):
    """An index map whose shape is not understood; carries the reason and the place of the write."""

    def __init__(self, reason: str, place: Place) -> None:
        super().__init__(reason)
        self.reason, self.place = reason, place


@dataclass(frozen=True, slots=True)
class Writer:
    """A write turned round for one cell: the thread as a bound view, when it really writes there, and what is known of it
    whether it does or not."""

    access: Access
    view: View
    valid: Formula
    known: Formula = P.TRUE


@dataclass
class Tracer:
    """Resolves the reads of one kernel's footprint in an encoder (shared by both kernels of a pair).

    `prove`: whether a formula is unsatisfiable.
    """

    context: Context
    footprint: Footprint
    encoder: Encoder
    prove: Prove
    under: list[Formula] = field(default_factory=list)
    _writers: dict[tuple[int, Cell, str, tuple[Formula, ...], Rounds], Writer] = field(default_factory=dict)
    _reads: dict[Term, Access] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """One access stands for all that read the same term: its guard is that any of them happens."""
        for access in self.footprint.accesses:
            if access.kind == "read":
                known = self._reads.get(access.value)
                guard = T.disjunction(known.guard, access.guard) if known else access.guard
                self._reads[access.value] = replace(known or access, guard=guard)

    def knows(self, term: Term) -> bool:
        """Whether a read term is one of this kernel's that needs tracing."""
        assert isinstance(term.data, Version)
        return term in self._reads and term.data.owner is not Owner.LAUNCH

    def resolve(self, term: Term, view: View, cell: Cell) -> Poly:
        """The value of a read as seen by a view: a chain over the writes that can come before it.

        A read that is the same for all threads of the block is encoded once for all of them, so its
        writers must be unique whatever guards lead to it: it is resolved under no assumption.
        """
        access = self.reading(term)
        if not term.roles & Role.THREAD:
            stack, self.under = self.under, []
            try:
                return self._chain(access, term, view, cell)
            finally:
                self.under = stack
        return self._chain(access, term, view, cell)

    def reading(self, term: Term) -> Access:
        """The access that reads a term, for any thread of the block if it is the same for all."""
        access = self._reads[term]
        return access if term.roles & Role.THREAD else replace(access, guard=T.TRUE)

    def writers(self, term: Term, view: View) -> Iterator[Writer]:
        """Who may have written the cell that a view reads, oldest first."""
        access = self.reading(term)
        cell = tuple(self.encoder.index(part, view) for part in access.index)
        return (self.writer_for(access, write, view, cell) for write in self.earlier(access))

    def _chain(self, access: Access, term: Term, view: View, cell: Cell) -> Poly:
        value = self.before(access, cell, term, view)
        for write in self.earlier(access):
            writer = self.writer_for(access, write, view, cell)
            key = ("traced", term.serial, write.order, writer.view.thread)
            name = self.encoder.made_of(key, "traced", cell, Whose(view.thread, view.block))
            value = self.encoder.choice(name, writer.valid, self.value_of(writer), value)
            if writer.known != P.TRUE and name in self.encoder.facts and writer.known not in self.encoder.facts[name]:
                self.encoder.facts[name].append(writer.known)
        return value

    def before(self, access: Access, cell: Cell, term: Term, view: View) -> Poly:
        """What the cell holds before any write of this kernel."""
        if access.space is Space.GLOBAL:
            return self.initial(access.array, cell, term)
        nothing = self.encoder.made_of(("uninitialised", access.array), "uninitialised", cell, Whose(view.thread, view.block))
        return self.encoder.number(T.undefined(nothing, term.type), ANY)

    def initial(self, array: str, cell: Cell, term: Term) -> Poly:
        """The initial contents of a cell of global memory, one function for both kernels of a pair."""
        version = T.read(Version(array, Owner.LAUNCH, "initial"), term.args, term.type)
        return self.encoder.stored(version, ANY, cell)

    def earlier(self, access: Access) -> list[Access]:
        """The writes that may precede a read, oldest first."""
        epoch = access.interval.of(access.space).barrier
        found = [write for write in self.footprint.writes if write.array == access.array and write.atomic is None and (
            write.order < access.order if _in_one_loop(write, access) else _barrier(write) < epoch
            or (_barrier(write) == epoch and write.order < access.order))]
        return sorted(found, key=lambda write: (_barrier(write), write.order))

    def is_ordered_in_block(self, write: Access, access: Access) -> bool:
        """Whether a barrier of the block lies between a write that may come before an access and that access."""
        return _epoch(write) != _epoch(access)

    def is_ordered_in_warp(self, write: Access, access: Access) -> bool:
        return write.interval.warp != access.interval.warp and not write.rounds

    def writer_for(self, access: Access, write: Access, view: View, cell: Cell) -> Writer:
        in_block, in_warp = self.is_ordered_in_block(write, access), self.is_ordered_in_warp(write, access)
        if not in_block and not in_warp:
            same = self.same_cell(write, view, cell)
            return Writer(write, view, P.conj((self.encoder.truth(write.guard, view), same)))
        under = self.encoder.truth(access.guard, view)
        together = tuple((self.symbol(number), self.encoder.number(number, view)) for number in shared_rounds(write, access))
        found = self.writer(write, cell, view.block, under, together)
        if in_block:
            return found
        return replace(found, valid=P.conj((found.valid, same_warp(self.context, self.encoder, found.view, view))))

    def value_of(self, writer: Writer) -> Poly:
        """The value a writer stores; what it reads itself is traced under the writer's validity.

        A view that is no inverse is a real thread: its numbers are shared, so nothing is assumed for them.
        """
        if writer.view.is_inverse:
            self.under.append(writer.valid)
        value = self.encoder.reduced(writer.access.value, writer.view)
        if writer.view.is_inverse:
            self.under.pop()
        return value

    def writer(self, write: Access, cell: Cell, block: str | None, under: Formula, rounds: Rounds = ()) -> Writer:
        """The thread of a block (None: of the whole launch) that writes a cell at `write`, in certain rounds of loops."""
        key = (write.order, cell, block or "", (*self.under, under), rounds)
        if key not in self._writers:
            self._writers[key] = self._invert(write, cell, block, under, rounds)
        return self._writers[key]

    def symbol(self, term: Term) -> Symbol:
        assert isinstance(term.data, Symbol)
        return term.data

    def in_rounds(self, view: View, rounds: Rounds) -> View:
        """The view, of a thread that is in these rounds."""
        for symbol, number in rounds:
            self.encoder.bindings[of_symbol(symbol, Whose(view.thread, view.block))] = number
        return view

    def _invert(self, write: Access, cell: Cell, block: str | None, under: Formula, rounds: Rounds) -> Writer:
        if not WRITERS.allows(len(self._writers) + 1):
            raise CannotTrace(f"more than {WRITERS.value} writers would have to be told apart", write.place)
        unknown = self.context.coordinates(Quantity.THREAD)
        if block is None:
            unknown = unknown + self.context.coordinates(Quantity.BLOCK)
        number = self.encoder.fresh()
        free = self.in_rounds(View(f"u{number}", block or f"u{number}"), rounds)
        names = {self.name(term, free): term for term in unknown}
        index = tuple(self.encoder.index(part, free) for part in write.index)
        guard = self.encoder.truth(write.guard, free)
        meets = P.eq(self.flat(write.array, index), self.flat(write.array, cell))
        for solution in islice(self.solutions(index, cell, guard, names, free.thread), MAX_GUESSES):
            other = P.neg(P.conj(P.eq(Poly.atom(name), solution[name]) for name in names))
            if self.prove(P.conj((*self.under, under, guard, meets, other))):
                return self._bind(write, cell, block, {term: solution[name] for name, term in names.items()}, rounds)
        raise CannotTrace(f"the thread that writes a cell of '{write.array}' cannot be told from the cell", write.place)

    def _bind(self, write: Access, cell: Cell, block: str | None, solution: Mapping[Term, Poly], rounds: Rounds) -> Writer:
        """The inverted thread as a view of its own, and the formula that it exists and writes the cell."""
        number = self.encoder.fresh()
        bound = self.in_rounds(View(f"w{number}", block or f"w{number}", is_inverse=True), rounds)
        for term, value in solution.items():
            self.encoder.bindings[self.name(term, bound)] = value
        exists = P.conj(self.in_range(term, value) for term, value in solution.items())
        valid = P.conj((exists, self.encoder.truth(write.guard, bound), self.same_cell(write, bound, cell)))
        return Writer(write, bound, valid, P.implies(exists, self.known(write, bound)))

    def known(self, write: Access, view: View) -> Formula:
        """What is known of a thread, whether it comes to a write or not: a loop behind which that stands, if it enters it, it
        leaves, in one round, by one of the ways out; and what the source assumes holds."""
        found: dict[Term, None] = {}
        todo = [write.guard]
        while todo:
            parts = set(T.subterms(todo.pop()))
            for number, (entered, left) in self.footprint.left.items():
                if number in parts and number not in write.rounds:
                    fact = T.disjunction(T.negate(entered), left)
                    todo += [fact] if fact not in found else []
                    found[fact] = None
            for test, when in self.footprint.assumed.items():
                if test in parts:
                    found[T.disjunction(T.negate(when), test)] = None
        return P.conj(self.encoder.truth(fact, view) for fact in found)

    def solutions(self, index: Cell, cell: Cell, guard: Formula, names: Mapping[Atom, Term],
                  owner: str) -> Iterator[dict[Atom, Poly]]:
        """Each unknown as a polynomial in the cell, free of atoms of the unknown thread (`owner`)."""
        pinned = pins(guard, set(names))
        spans = {name: self.span(term) for name, term in names.items() if name not in pinned}
        found = [list(islice(invert(part.replace(pinned), want, spans, self.encoder), MAX_GUESSES))
                 for part, want in zip(index, cell, strict=True)]
        for solution in solved_parts(found, pinned):
            foreign = any(owner in each.owners for value in solution.values() for each in value.atoms())
            if set(names) <= set(solution) and not foreign:
                yield solution

    def name(self, term: Term, view: View) -> Atom:
        """The atom of a coordinate or round, as a view sees it."""
        return atom_of(term, view)

    def span(self, term: Term) -> Poly:
        assert isinstance(term.data, Symbol)
        return self.encoder.number(self.context.ranges[term.data][1], ANY).plus(1)

    def in_range(self, term: Term, value: Poly) -> Formula:
        return P.conj((P.le(Poly.number(0), value), P.lt(value, self.span(term))))

    def same_cell(self, write: Access, view: View, cell: Cell) -> Formula:
        """A view's write goes to a cell: compared by position in the array, not index by index."""
        index = tuple(self.encoder.index(part, view) for part in write.index)
        return P.eq(self.flat(write.array, index), self.flat(write.array, cell))

    def flat(self, array: str, index: Cell) -> Poly:
        return flatten(self.context.kernel.array(array).dims, index)


def _epoch(access: Access) -> Epoch:
    return access.interval.of(access.space)


def _barrier(access: Access) -> int:
    return _epoch(access).barrier


def shared_rounds(one: Access, other: Access) -> list[Term]:
    """The rounds of loops that both are in."""
    return [mine for mine, yours in zip(one.rounds, other.rounds, strict=False) if mine is yours]


def _in_one_loop(one: Access, other: Access) -> bool:
    """Whether both stand in one loop: then what comes first in a round comes first, up to the last barrier."""
    return bool(one.rounds) and bool(other.rounds) and one.rounds[0] is other.rounds[0]


def solved_parts(found: list[list[dict[Atom, Poly]]], pinned: Mapping[Atom, Poly]) -> Iterator[dict[Atom, Poly]]:
    """One solution for each way to choose one for every dimension; what is pinned, and the outer dimensions, come first."""
    for choice in product(*found):
        solution = dict(pinned)
        for part in choice:
            for name, value in part.items():
                solution.setdefault(name, value)
        yield solution


def pins(guard: Formula, unknown: set[Atom], instead: Mapping[Atom, Poly] | None = None) -> dict[Atom, Poly]:
    """Unknowns that the guard fixes: conjuncts `v == value` and `v <= 0` (with v >= 0). `instead`: what stands for its atoms."""
    found: dict[Atom, Poly] = {}
    for part in P.conjuncts(guard):
        if not isinstance(part, Rel):
            continue
        poly = part.poly.replace(instead) if instead else part.poly
        for name in sorted(poly.atoms() & unknown - set(found)):
            slope, rest = poly.coefficient(name), poly.replace({name: Poly.number(0)})
            if slope.constant not in (1, -1) or rest.atoms() & unknown:
                continue
            if part.sign == "==":
                found[name] = rest.scale(-1 if slope.constant == 1 else 1)
                break
            if slope.constant == 1 and rest == Poly({}):
                found[name] = Poly({})
                break
    return found
