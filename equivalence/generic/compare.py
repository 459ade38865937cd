"""Whether two kernels leave the same outputs for all sizes, by one generic block of each.

Input: the checks of both kernels. Output: for each array the strongest class of equality that is shown, or why none is. Both
blocks are run once (`block`); cells of one side meet those of the other (`cells`); then values are compared reading by
reading: first for a generic thread, whose coordinates are symbols, and where lanes are not alike, lane by lane.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from automata.budget import Budget
from automata.lang.core import AXES, Quantity
from automata.lang.traverse import expressions, walk, within
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, Mode
from automata.logic.atom import Atom
from automata.logic.bits import powers_of_two
from automata.logic.poly import Poly
from automata.logic.views import ANY, View
from automata.passes import passing
from automata.proof.known.context import Context, known_numbers
from automata.proof.witness.analysis import Analysis
from automata.rewriting.lower import lower
from automata.scalar import BOOL
from equivalence.generic.block import GenericBlock
from equivalence.generic.cells import Cells, Family, Match, Side, in_range
from equivalence.generic.few_blocks import Sizes, few_blocks
from equivalence.generic.form import READINGS, Laws
from equivalence.generic.integers import ZERO, CannotFollow, Integers
from equivalence.generic.lanes import Row, Shape, digits_for
from equivalence.generic.long_loops import KEPT_STATEMENTS, RoundByRound
from equivalence.generic.memory import Symbolic
from equivalence.generic.passed import Passed
from equivalence.generic.pointed import Pointed
from equivalence.generic.reading import Block, Reading, told
from equivalence.generic.related import Asked, Related
from equivalence.generic.required import Required
from equivalence.generic.staged import Staged
from equivalence.generic.stores import Written
from equivalence.generic.values import Fetch, Node, Value, Write
from equivalence.generic.written_sizes import multiples_in, write_floors, write_multiples, write_numbers
from equivalence.generic.zeros import Nonzero, merged
from equivalence.related_runs import kind_of, parameters_of, stated_extent
from equivalence.relation import Relation
from equivalence.result import WRAPS, EqualityClass

MOST_LANES = 1024


@dataclass
class Shown:
    """The answer for one array, or relation: a class, or why there is none. `proof`: how it is shown, for people; `assumed`: what
    it takes for granted; `notes`: what it leaves unsaid; `nonzero`: of what sizes make, what it divides by."""

    kind: EqualityClass | None
    reason: str = ""
    proof: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    nonzero: list[Nonzero] = field(default_factory=list)

    @classmethod
    def by(cls, reading: Reading) -> Shown:
        """What a reading shows in which a comparison gave no reason against it."""
        return cls(EqualityClass(reading.algebra.laws.name), "", reading.proof, reading.assumed(), nonzero=reading.conditions())


def integers_of(contexts: Sequence[Context], budget: Budget) -> Integers:
    """The integers of a comparison, under what is required of all its kernels."""
    modes: dict[T.Term, Mode] = {}
    for context in contexts:
        modes |= {term: mode for term, mode in context.modes.items() if modes.get(term) is not Mode.EXACT}
    ranges = {symbol: ends for context in contexts for symbol, ends in context.ranges.items()}
    powers = powers_of_two((term for context in contexts for term in context.required), ranges)
    saturates = all(context.kernel.dialect == "cuda" for context in contexts)
    encoder = Encoder(ranges=ranges, powers=powers, modes=modes, saturates=saturates)
    encoder.bound_products(encoder.truth(term, ANY) for context in contexts for term in context.required)
    return Integers(encoder, [part for context in contexts for part in context.requirements(encoder)], budget,
                    of_element=Required(encoder, contexts).of)


@dataclass
class GenericPair:
    """Two sides of one kernel each, or several that run one after another, with the integers of all. `in_multiples`: sizes
    that are required to be multiples of a number are written so; `blocks`: numbers that sizes of blocks are here
    (`few_blocks`); `relations`: what is asked besides, by its text; `kernels`: the generic blocks; `left`: what each side
    leaves."""

    a: Sequence[Analysis]
    b: Sequence[Analysis]
    budget: Budget
    in_multiples: bool = False
    keeps_loops: bool = False
    blocks: Mapping[Atom, int] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    integers: Integers = field(init=False)
    cells: Cells = field(init=False)
    kernels: list[Block] = field(init=False)
    left: list[Passed] = field(init=False)

    def __post_init__(self) -> None:
        self.integers = integers_of([analysis.context for analysis in (*self.a, *self.b)], self.budget)
        write_numbers(self.integers, self.blocks)
        if self.in_multiples:
            write_multiples(self.integers)
        write_floors(self.integers)
        self.cells = Cells(self.integers)
        self.kernels, self.left = [], []
        for name, analyses in (("a", self.a), ("b", self.b)):
            sides: list[Side] = []
            for number, analysis in enumerate(analyses, 1):
                before = Passed(self.cells, tuple(sides))
                own = name if len(analyses) == 1 else f"{name}{number}"
                before.side = self.side(analysis, own, name, before.arrays)
                sides.append(before.side)
                self.kernels.append(Block(before.side, Staged(self.cells, before.side), before, len(analyses) == 1))
            self.left.append(Passed(self.cells, sides))

    @cached_property
    def multiples(self) -> frozenset[Atom]:
        """The sizes that are required to be multiples of a number."""
        return frozenset(each for part in self.integers.required for each, _ in multiples_in(part, self.integers))

    @property
    def has_multiples(self) -> bool:
        """Whether writing sizes as multiples, or as the one number that they may be, makes a difference."""
        return not self.in_multiples and bool(self.integers.pinned or self.multiples)

    @property
    def divides_multiples(self) -> bool:
        """Whether such a size, divided by a number, decides where a kernel stores, or whether it does."""
        floors = self.integers.encoder.floors
        quotients = {each for each, (value, size) in floors.items()
                     if size.constant is not None and any(value == Poly.atom(other) for other in self.multiples)}
        atoms = (atoms for each in self.kernels for write in each.side.written.writes
                 for atoms in (write.index.values[0].atoms(), P.atoms(write.guard.values[0])))
        return any(not self.integers.within(inner).isdisjoint(quotients) for found in atoms for inner in found)

    def number(self, term: T.Term, view: View) -> Poly:
        """An integer of a launch."""
        return self.integers.rewritten(self.integers.encoder.number(term, view))

    def side(self, analysis: Analysis, name: str, of: str, earlier: frozenset[str]) -> Side:
        """One kernel, run. `of`: its side; `earlier`: the arrays that kernels before it write."""
        context = analysis.context
        if analysis.wraps.is_silent:
            raise CannotFollow(f"side {name} {WRAPS}")
        view = View(name, name)
        number = self.number
        dims = [context.size(Quantity.BLOCK_DIM, axis) for axis in AXES]
        sizes = [number(size, ANY).constant for size in dims]
        extents = None if any(size is None for size in sizes) else (sizes[0] or 0, sizes[1] or 0, sizes[2] or 0)
        shape = Shape(extents)
        if shape.lanes > MOST_LANES:
            raise CannotFollow(f"blocks of {shape.lanes} threads")
        blocks = {each: number(context.size(Quantity.GRID_DIM, axis), ANY) for axis in AXES
                  for each in number(context.values[f"{Quantity.BLOCK.value}.{axis}"], view).atoms()}
        written = self.run(context, shape, view, earlier)
        if extents is None:
            position = tuple(number(context.values[f"{Quantity.THREAD.value}.{axis}"], view) for axis in AXES)
            spans = [number(size, ANY) for size in dims]
        else:
            rows = [part for write in written.writes for part in (write.index, write.guard)]
            rows += [part for seen in written.seen for part in (seen.index, seen.guard)]
            accesses: list[Write | Fetch] = [*written.staged, *written.fetched, *written.passed]
            for access in accesses:
                rows += [*access.parts, access.guard]
            rows += [each.index for each in written.passed]
            shape.digits = digits_for(shape, rows)
            position = tuple(ZERO if extent == 1 else Poly.atom(self.integers.variable(
                (name, "digit", at), f"{name}.thread.{at}", 0, extent - 1)) for at, extent in enumerate(shape.digits))
            spans = [Poly.number(extent) for extent in shape.digits]
        threads = {each: span for part, span in zip(position, spans, strict=True) for each in part.atoms()}
        return Side(name, of, written, blocks, threads, position)

    def run(self, context: Context, shape: Shape, view: View, earlier: frozenset[str]) -> Written:
        kernel = lower(context.source, known_numbers(context), KEPT_STATEMENTS if self.keeps_loops else None)
        number = self.number
        values: dict[str, Value] = {}
        own = {f"{Quantity.THREAD.value}.{axis}": at for at, axis in enumerate(AXES)} if shape.extents is not None else {}
        for name, term in context.values.items():
            if term.type.is_float:
                known = T.constant_value(term)
                values[name] = Node("scalar", term.type, (), name) if known is None else Node("const", term.type, (), known)
            elif name in own:
                values[name] = Row(shape, tuple(Poly.number(each[own[name]]) for each in shape.coordinates))
            else:
                value = number(term, view)
                values[name] = Row(shape, (P.neg(P.eq(value, ZERO)),)) if term.type == BOOL else Row(shape, (value,))
        symbolic, by_round = list[str](), frozenset[str]() if self.keeps_loops else None
        while True:
            block = GenericBlock(kernel, shape, self.integers, self.budget, symbolic, earlier, view.thread, by_round)
            if _wraps_data(context):
                block.settled = frozenset()
            try:
                return block.run(dict(values))
            except Symbolic as error:
                symbolic.append(error.array)
            except RoundByRound as error:
                by_round = (by_round or frozenset()) | {error.label}

    @cached_property
    def has_floats(self) -> bool:
        """Whether a kernel computes with floats anywhere. Where none does, what holds over the reals holds as integers."""
        kernels = [analysis.context.source for analysis in (*self.a, *self.b)]
        return any(kind.is_float for kernel in kernels for kind in (
            *(array.element for array in kernel.arrays), *(param.type for param in kernel.params),
            *(part.type for stmt in walk(kernel.body) for expr in expressions(stmt) for part in within(expr))))

    # -- one array -----------------------------------------------------------------------------------------------

    def show(self, array: str, weakest: EqualityClass, strongest: EqualityClass = EqualityClass.BITWISE) -> Shown:
        """The strongest class of an array, or of a relation, that is shown, not weaker than one, and not stronger than another,
        which is expected."""
        least = weakest if self.has_floats else min(weakest, EqualityClass.INT, key=lambda kind: kind.rank)
        readings = [laws for laws in READINGS if strongest.rank <= EqualityClass(laws.name).rank <= least.rank]
        try:
            for each in self.kernels:
                self.cells.require_loads(each.side)
            if array in self.relations:
                asked = self.asked[array]
                found = self.strongest(array, readings if not asked.has_additions else [laws for laws in readings if laws.ints],
                                       lambda reading: Related(reading, asked).compare())
                if found.kind is not None:
                    found.notes = asked.unspoken(list(self.asked.values()))
                return found
            sides = self.adding(array)
            pairs = None if sides else self.paired(array)
            return self.strongest(array, [laws for laws in readings if laws.ints] if sides else readings,
                                  lambda reading: reading.compare(array, pairs, sides))
        except CannotFollow as error:
            return Shown(None, told(error))

    def strongest(self, array: str, readings: Sequence[Laws], compare: Callable[[Reading], str | None]) -> Shown:
        """The strongest of some readings, weakest last, in which a comparison gives no reason against it."""
        if not readings:
            return Shown(None, f"additions to '{array}' in any order: no equality of every bit is looked for")
        is_expected = readings[0] is not READINGS[0] and len(readings) > 1
        if is_expected:
            reading = Reading(self.cells, self.kernels, readings[0])
            if compare(reading) is None:
                return Shown.by(reading)
        last = Reading(self.cells, self.kernels, readings[-1])
        reason = compare(last)
        for laws in readings[is_expected:-1]:
            reading = Reading(self.cells, self.kernels, laws)
            if compare(reading) is None:
                return Shown.by(reading)
        if reason is not None:
            return Shown(None, reason)
        return Shown.by(last)

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """The relations, each at a generic point."""
        contexts = [[analysis.context for analysis in group] for group in (self.a, self.b)]
        found = {}
        for text, relation in self.relations.items():
            parameters = parameters_of(relation, contexts)
            kind = kind_of(relation, contexts)

            def parameter(name: str, having: Mapping[str, Context] = parameters) -> Poly:
                return self.number(having[name].values[name], ANY)
            terms = [stated_extent(item, contexts) for item in relation.elements()]
            extents = [None if term is None else self.number(term, ANY) for term in terms]
            point = Pointed(self.integers, relation, parameter).point(extents[0])
            found[text] = Asked(relation, point, kind, dict(zip("ab", self.left, strict=True)), extents)
        return found

    def adding(self, array: str) -> list[Side]:
        """The kernels of both sides that write an array, if one adds to its cells; none else."""
        if all(passed.updater(array) is None for passed in self.left):
            return []
        found = [passed.writers(array) for passed in self.left]
        if any(len(sides) != 1 for sides in found):
            raise CannotFollow(f"'{array}' is updated on one side, and written by no kernel or by several on the other")
        return [side for sides in found for side in sides]

    def paired(self, array: str) -> list[tuple[Family, list[Match]]]:
        """The families of a with those of b that write the same cells; b writes no others."""
        a, b = (passed.left(array) for passed in self.left)
        found = [(one, self.cells.matches(one, b)) for one in a]
        for other in b:
            self.cells.matches(other, a)
        return found


def _wraps_data(context: Context) -> bool:
    """Whether integers made of data may wrap where they decide something."""
    return any(mode is Mode.EXACT and term.type.bits >= 32 and term.roles & T.Role.DATA for term, mode in context.modes.items())


@passing("generic")
def show_all(pair: GenericPair, arrays: Sequence[str], weakest: EqualityClass,
             strongest: EqualityClass = EqualityClass.BITWISE) -> dict[str, Shown]:
    """The answer for each array."""
    return {array: pair.show(array, weakest, strongest) for array in arrays}


def show_by_blocks(asked: Callable[[Sizes], GenericPair], analyses: tuple[Sequence[Analysis], Sequence[Analysis]], array: str,
                   weakest: EqualityClass, budget: Budget) -> Shown | None:
    """The answer for an array where the sizes of blocks are few: the weakest class of all of them. None where they are not few,
    or where one is not shown. `asked`: makes a pair whose blocks are of some sizes."""
    integers = integers_of([analysis.context for group in analyses for analysis in group], budget)
    dims = [integers.encoder.number(analysis.context.size(Quantity.BLOCK_DIM, axis), ANY)
            for group in analyses for analysis in group for axis in AXES]
    whole: Shown | None = None
    try:
        ways = few_blocks(integers, dims)
    except CannotFollow:
        return None
    for sizes in ways:
        try:
            found = asked(sizes).show(array, weakest, (whole.kind if whole is not None else None) or EqualityClass.BITWISE)
        except CannotFollow:
            return None
        if found.kind is None:
            return None
        text = ", ".join(f"{each.text} = {size}" for each, size in sizes.items())
        proof = [f"with {text}:", *(f"  {line}" for line in found.proof)]
        if whole is None:
            whole = Shown(found.kind, "", proof, found.assumed, found.notes, found.nonzero)
        else:
            kind = max((whole.kind or found.kind, found.kind), key=lambda each: each.rank)
            whole = Shown(kind, "", [*whole.proof, *proof], [*dict.fromkeys((*whole.assumed, *found.assumed))],
                          [*dict.fromkeys((*whole.notes, *found.notes))], merged(whole.nonzero, found.nonzero))
    return whole


__all__ = ["GenericPair", "Shown", "in_range", "show_all", "show_by_blocks", "told"]
