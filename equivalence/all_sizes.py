"""Equality for every launch that the requirements admit.

For each write of one kernel, at a generic thread: the cell it fills must end with the same value in the
other kernel. The other kernel's final value of a cell is a guarded chain over its writes, latest
first, each turned round to the thread that writes the cell (`obligations.trace`), down to the initial
contents. Doing this for the writes of both kernels covers every cell that either one changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, Mode, View
from automata.logic.atom import Atom
from automata.logic.bits import multiples, powers_of_two
from automata.logic.ladder import Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Sat, Unknown, Unsat
from automata.logic.terms import Term
from automata.logic.views import ANY, atom_of
from automata.place import TIME_IS_UP, Place
from automata.proof.known.context import Context, range_facts, small_tiers
from automata.proof.known.footprint import Access
from automata.proof.obligations.trace import CannotTrace, Cell, Tracer
from automata.proof.witness.analysis import Analysis
from equivalence.in_turns import generic_threads


@dataclass(frozen=True, slots=True)
class Side:
    """One kernel of the pair with its tracer in the shared encoder."""

    name: str
    analysis: Analysis
    tracer: Tracer

    def writes(self, array: str) -> list[Access]:
        return [write for write in self.analysis.footprint.writes if write.array == array]


@dataclass(frozen=True, slots=True)
class Equality:
    """The answer for one output: Unsat is a proof. `place`: the write whose cell may differ; `sizes`: those of a model."""

    answer: Answer
    place: Place | None = None
    sizes: dict[str, int] | None = None


@dataclass
class AnyDivisors(Encoder):
    """Where a divisor is zero, some quotients are any number, the same for the same operands. `quotients_by_any`: these."""

    quotients_by_any: Set[Term] = field(default_factory=frozenset)

    def _division(self, term: Term, view: View) -> Poly:
        known = super()._division(term, view)
        if term not in self.quotients_by_any:
            return known
        is_zero = P.eq(self.index(term.args[1], view), Poly.number(0))
        return self.choice(self.of_term("by zero", term, view), is_zero, self._opaque(term, view), known)


class Comparison:
    """All queries of one pair under one reading of the operations. `by_any`: the quotients of which nothing is known where they
    are by zero. `given`: what holds of the thread that all of them are about."""

    def __init__(self, a: Analysis, b: Analysis, *, commutative: bool, by_any: Set[Term] = frozenset()) -> None:
        self.contexts: tuple[Context, Context] = (a.context, b.context)
        self.given: list[Formula] = []
        modes = dict(a.context.modes)
        for term, mode in b.context.modes.items():
            if modes.get(term) is not Mode.EXACT:
                modes[term] = mode
        ranges = {**a.context.ranges, **b.context.ranges}
        powers = powers_of_two((*a.context.required, *b.context.required), ranges)
        self.encoder = AnyDivisors(quotients_by_any=by_any, ranges=ranges, powers=powers, modes=modes, commutative=commutative,
                               fitting={**a.context.fitting, **b.context.fitting},
                               converted=a.context.converted | b.context.converted, further=self._of_contents,
                               saturates=a.context.kernel.dialect == b.context.kernel.dialect == "cuda")
        self._bind_multiples()
        self.a = Side("a", a, Tracer(a.context, a.footprint, self.encoder, self._prove))
        self.b = Side("b", b, Tracer(b.context, b.footprint, self.encoder, self._prove))
        self.encoder.resolver = self._resolve
        self.encoder.proves = lambda formula: self._prove(P.neg(formula))
        self.encoder.bound_products(self.encoder.truth(term, ANY) for context in self.contexts for term in context.required)

    def _bind_multiples(self) -> None:
        """Read sizes that are required to be multiples of a number as that number times others, where their ends are numbers: so
        what that number divides of them is known, in products too."""
        found = multiples(term for context in self.contexts for term in context.required)
        for size, by in found.items():
            ends = [T.constant_value(end) for end in self.encoder.ranges[T.symbol_of(size)]]
            if size.roles or size in self.encoder.powers or None in ends:
                continue
            low, high = (int(end) for end in ends if end is not None)
            times = self.encoder.of_term(f"multiple of {by}", size, ANY)
            self.encoder.bindings[atom_of(size, ANY)] = self.encoder.known(times, (-(-low // by), high // by)).scale(by)

    def _of_contents(self, encoder: Encoder, seen: set[Atom]) -> Iterator[Formula]:
        """What is required of the elements among some atoms, where they are read."""
        for context in self.contexts:
            if context.facts is not None:
                yield from context.facts(encoder, seen)

    def _resolve(self, term: Term, view: View, cell: Cell) -> Poly:
        for side in (self.a, self.b):
            if side.tracer.knows(term):
                return side.tracer.resolve(term, view, cell)
        return self.encoder.stored(term, view, cell)

    def contradicts(self) -> bool:
        """Whether no sizes and parameters meet the requirements of both kernels."""
        known = [fact for context in self.contexts for fact in range_facts(context, self.encoder)]
        return isinstance(self._ask(known, model=False), Unsat)

    def output(self, array: str) -> Equality:
        """Whether an array ends up the same in both kernels."""
        for name, side in (("a", self.a), ("b", self.b)):
            for write in side.writes(array):
                answer = self._cell_of(write, name, model=False)
                if not isinstance(answer, Unsat) and not self._is_same_where_made(write, name):
                    answer = self._cell_of(write, name)
                    if not isinstance(answer, Unsat):
                        return Equality(answer, write.place, self._sizes(answer))
        return Equality(Unsat("every cell that either kernel writes"))

    def _cell_of(self, write: Access, name: str, *, model: bool = True) -> Answer:
        """The cell that any thread fills at `write`, of a side, has one final value."""
        answer: Answer = Unsat("no thread")
        try:
            for view, known in self._threads(write, name):
                answer = self._filled(write, name, view, P.conj((known, self.encoder.truth(write.guard, view))), model=model)
                if not isinstance(answer, Unsat):
                    break
        except CannotTrace as error:
            return Unknown(f"{error.reason} ({error.place})")
        return answer

    def _is_same_where_made(self, write: Access, name: str) -> bool:
        """The same in a comparison of its own for each generic thread, in which all is asked where that makes the write: so its
        guard tells digits apart too."""
        try:
            count = len(list(self._threads(write, name)))
            return all(self._is_same_at(write, name, at, count) for at in range(count))
        except CannotTrace:
            return False

    def _is_same_at(self, write: Access, name: str, at: int, count: int) -> bool:
        """The same for one generic thread of some."""
        own = Comparison(self.a.analysis, self.b.analysis, commutative=self.encoder.commutative,
                         by_any=self.encoder.quotients_by_any)
        threads = list(own._threads(write, name))
        if len(threads) != count:
            return False
        view, known = threads[at]
        own.given.append(P.conj((known, own.encoder.truth(write.guard, view))))
        return isinstance(own._filled(write, name, view, own.given[0], model=False), Unsat)

    def _threads(self, write: Access, name: str) -> Iterator[tuple[View, Formula]]:
        mine, other = (self.a, self.b) if name == "a" else (self.b, self.a)
        return generic_threads(write, other.writes(write.array), mine.analysis.context, self.encoder)

    def _filled(self, write: Access, name: str, view: View, guard: Formula, *, model: bool) -> Answer:
        """The cell that a thread fills at `write` where a guard holds has one final value."""
        mine, other = (self.a, self.b) if name == "a" else (self.b, self.a)
        cell = tuple(self.encoder.index(part, view) for part in write.index)
        ours = self._own_value(write, mine, guard, cell, view)
        theirs = self._final(other, write, cell, guard)
        return self._ask([guard, P.neg(P.eq(ours, theirs))], model=model)

    def _prove(self, formula: Formula) -> bool:
        return isinstance(self._ask([formula], model=False), Unsat)

    def _own_value(self, write: Access, side: Side, guard: Formula, cell: Cell, view: View) -> Poly:
        """What the writing kernel leaves in the cell: its value, unless a later write meets the cell."""
        epoch = write.interval.of(write.space).barrier
        value = self.encoder.reduced(write.value, view)
        for later in side.writes(write.array):
            self._mind_time(write)
            key = (later.interval.of(later.space).barrier, later.order)
            if key <= (epoch, write.order):
                continue
            if key[0] == epoch:
                same = [P.eq(self.encoder.index(part, view), want) for part, want in zip(later.index, cell, strict=True)]
                valid = P.conj((self.encoder.truth(later.guard, view), *same))
                newer = self.encoder.reduced(later.value, view) if valid != P.FALSE else value
            else:
                writer = side.tracer.writer(later, cell, view.block, guard)
                valid, newer = writer.valid, side.tracer.value_of(writer)
            name = self.encoder.made_of(("later", side.name, later.order, write.order, view.thread), "later", ())
            value = self.encoder.choice(name, valid, newer, value)
        return value

    def _final(self, side: Side, write: Access, cell: Cell, guard: Formula) -> Poly:
        """The final value of a cell in a kernel: its writes oldest first, each overriding the last."""
        term = T.read(T.Version(write.array, T.Owner.LAUNCH, "initial"), write.index, write.value.type)
        value = side.tracer.initial(write.array, cell, term)
        ordered = sorted(side.writes(write.array), key=lambda item: (item.interval.of(item.space).barrier, item.order))
        for number, item in enumerate(ordered):
            self._mind_time(write)
            writer = side.tracer.writer(item, cell, None, guard)
            name = self.encoder.made_of(("final", side.name, number, write.array, writer.view.thread), "final", cell)
            value = self.encoder.choice(name, writer.valid, side.tracer.value_of(writer), value)
        return value

    def _mind_time(self, write: Access) -> None:
        if any(context.is_late() for context in self.contexts):
            raise CannotTrace(TIME_IS_UP, write.place)

    def _ask(self, formulas: list[Formula], *, model: bool = True) -> Answer:
        """Decide formulas under the requirements of both kernels."""
        if any(context.is_late() for context in self.contexts):
            return Unknown(TIME_IS_UP)
        required = [formula for context in self.contexts for formula in context.requirements(self.encoder)]
        symbols = list(dict.fromkeys(term for context in self.contexts for term in context.symbols()))
        query = Query([*formulas, *self.given, *required], self.encoder, small_tiers(symbols, self.encoder))
        return decide(query, self.contexts[0].limits, model=model)

    def _sizes(self, answer: Answer) -> dict[str, int] | None:
        """The sizes and parameters of a model, by symbol name."""
        if not isinstance(answer, Sat):
            return None
        model = answer.model
        values = {str(term): self.encoder.number(term, ANY) for context in self.contexts for term in context.symbols()}
        return {name: value.replace({each: Poly.number(model[each]) for each in value.atoms()}).constant or 0
                for name, value in values.items() if value.atoms() <= model.keys()}
