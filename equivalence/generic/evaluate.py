"""What a node is worth in one lane, as a form.

Input: a node of a generic block and the digits of a thread (numbers, or polynomials where lanes are alike). Output: a form. What
operations mean is `operations`; what loops leave is `carried`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from equivalence.generic.alignment import Alignment
from equivalence.generic.carried import Loops
from equivalence.generic.first_pairs import Pairs
from equivalence.generic.form import ONE, ZERO, Form
from equivalence.generic.infinities import Noted
from equivalence.generic.integers import CannotFollow
from equivalence.generic.lanes import NotAffine, Position, Row, steps_of
from equivalence.generic.operations import Operations
from equivalence.generic.passed import Passed
from equivalence.generic.staged import Added, Staged
from equivalence.generic.uniform import Uniform
from equivalence.generic.values import CarriedKey, Cell, Choice, LoopRun, Node, Value, Write


class Evaluator(Operations, Loops):
    """Forms of the nodes of one kernel. `side` tells apart what nobody knows of the sides; `passed`: what the kernels before it
    have stored; `before`: how those are evaluated, by names."""

    def __init__(self, algebra: Pairs, staged: Staged, passed: Passed, before: Mapping[str, Evaluator]) -> None:
        self.algebra, self.staged, self.passed, self.before = algebra, staged, passed, before
        self.shape, self.side = staged.side.written.shape, staged.side.name
        self._known: dict[tuple[int, Position, tuple[int, ...]], Form] = {}
        self._kept: list[Node] = []
        self._nested: list[int] = []
        self.used: dict[int, None] = {}
        self._after: dict[int, tuple[LoopRun, CarriedKey]] = {}
        self._solved: dict[tuple[int, CarriedKey, Position, bool], Form] = {}
        self.uniform = Uniform()
        self._moved: dict[Atom, Atom] = {}
        self._loops: dict[Atom, LoopRun] = {}
        self._earlier: list[LoopRun] = []
        self.noted: dict[Noted, None] = {}
        self._steps: dict[Hashable, tuple[Cell, list[tuple[int, tuple[int, ...]]]] | None] = {}
        self._solving: list[tuple[Atom, CarriedKey, Position]] = []
        self.tabled = {}

    # -- nodes ------------------------------------------------------------------------------------------------

    def form(self, node: Node, at: Position) -> Form:
        """The value of a node in a thread."""
        key = id(node), at, tuple(self._after)
        found = self._known.get(key)
        if found is None:
            found = self._form(node, at)
            self._known[key] = found
            self._kept.append(node)
        return found

    def _form(self, node: Node, at: Position) -> Form:
        if id(node) in self._after:
            loop, name = self._after[id(node)]
            return self.marker("after", loop, name, at)
        if node.op in ("gather", "pick", "hole", "out", "made", "fetch", "passed"):
            return self.held(node, at)
        if node.op in ("unary", "binary", "cast", "bits", "call"):
            try:
                return self.operation(node, [self.form(arg, at) for arg in node.args])
            except NotAffine:
                return self.alike(node, at)
        return self.leaf(node, at)

    def leaf(self, node: Node, at: Position) -> Form:
        """A value that is not made of others in all lanes alike."""
        algebra = self.algebra
        match node.op:
            case "const":
                return algebra.number(float(node.data) if node.type.is_float else int(node.data))
            case "ints":
                return algebra.of_poly(self.seen(node.data, at))
            case "truth":
                return algebra.bracket(self.seen(node.data, at))
            case "scalar":
                return algebra.of(algebra.factor("scalar", node.data))
            case "nothing":
                return self.nothing((id(node), at))
            case "load":
                array, index = node.data
                return algebra.of(algebra.read(array, node.type, self.seen(index, at)))
            case "select":
                return self.selected(node, at)
        raise AssertionError(node.op)

    def held(self, node: Node, at: Position) -> Form:
        """What a cell, or a local of a loop, holds."""
        match node.op:
            case "gather":
                return self.gathered(node, at)
            case "pick":
                return self.picked(node.data)
            case "made":
                numbers = {loop.number: self.seen(row, at) for loop, row in zip(node.data.rounds, node.data.numbers, strict=True)}
                return self.algebra.put(self.in_rounds(self.form(node.data.value, at), node.data.rounds), numbers)
            case "passed":
                return self.passed_on(node, at)
            case "fetch":
                if id(node) in self._nested:
                    raise CannotFollow("an element that each round makes of what a round before left there", node.place)
                self._nested.append(id(node))
                try:
                    return self.fetched(node, at)
                finally:
                    self._nested.pop()
        loop, name = node.data
        return self.marker("hole", loop, name, at) if node.op == "hole" else self.left_by(loop, name, at)

    def moved(self, at: Position) -> dict[Atom, Poly]:
        """What stands for the coordinates of the generic thread in another one."""
        if self.shape.extents is None:
            return {}
        generic = self.staged.side.position
        return {each: value for part, value in zip(generic, at, strict=True) for each in part.atoms() if part != value}

    def passed_on(self, node: Node, at: Position) -> Form:
        """What kernels before have left where a load takes its value from."""
        put, moved = self.algebra.integers.put, self.moved(at)
        result: Form | None = None
        for match in reversed(self.passed.sources(node)):
            instead = {each: put(value, moved) for each, value in match.instead.items()}
            value = self.before[match.family.side.name].left_at(match.family.write, instead)
            test = self.algebra.bracket(self.algebra.integers.put_formula(match.valid, moved))
            result = value if result is None else self.choose(test, value, result)
        assert result is not None
        guard = self.algebra.integers.put_formula(self.passed.load(node).guard, moved)
        return self.algebra.put(result, Alignment(self.algebra.integers).quotients(self.algebra, [result], P.conjuncts(guard)))

    def left_at(self, write: Write, instead: Mapping[Atom, Poly]) -> Form:
        """What a store of this kernel leaves, of the thread and block and in the rounds that another kernel says."""
        put, there = self.algebra.integers.put, self.staged.side.position
        if write.tests and write.array in self.passed.arrays:
            raise CannotFollow("data decide whether what a kernel before has stored stays", write.place)
        if self.shape.extents is not None:
            there = tuple(put(part, instead) for part in there)
        value = self.in_rounds(self.stored_value(write, there), write.rounds)
        for number in self.algebra.all_inside(value):
            factor = self.algebra.factors[number]
            if factor.kind in ("hole", "after") and factor.data[0] != "carried":
                raise CannotFollow("what a loop of another kernel carries", write.place)
        return self.algebra.put(value, instead)

    def stored_value(self, write: Write, position: Position) -> Form:
        """The value of a store; where tests on data do not all hold, what was there."""
        value = self.form(write.value, position)
        if write.tests:
            before = ZERO
            if write.update is None:
                before = self.algebra.of(self.algebra.read(write.array, write.value.type, write.index.at(position)))
            for test, positive in write.tests:
                held = self.form(test, position)
                value = self.choose(held, value, before) if positive else self.choose(held, before, value)
        return value

    def fetched(self, node: Node, at: Position) -> Form:
        """What the stores have left that a load may take its value from."""
        algebra, integers = self.algebra, self.algebra.integers
        moved = self.moved(at)
        result: Form | None = None
        for source in reversed(self.staged.sources(node)):
            instead = {each: integers.put(value, moved) for each, value in source.instead.items()}
            value = self.stored(source.store, instead, moved, source.over)
            for each in source.added:
                value = algebra.plus(value, self.added(each, moved))
            test = algebra.bracket(integers.put_formula(source.valid, moved))
            otherwise = {each: integers.put(end, moved) for each, end in source.otherwise.items() if each not in moved}
            if result is None or (otherwise and algebra.put(value, otherwise) == algebra.put(result, otherwise)):
                result = value
            else:
                result = self.choose(test, value, result)
        assert result is not None
        return result

    def added(self, each: Added, moved: Mapping[Atom, Poly]) -> Form:
        """The sum of what threads add to an element between a store and a load. What it is over has names of its own, for what
        is added may itself be loaded where others add."""
        if not self.is_ring(each.store.value.type):
            raise CannotFollow("additions in any order", each.store.place)
        integers = self.algebra.integers
        own = {bound: integers.variable(("added", len(self._nested), bound), bound.text, 0) for bound in each.over}
        named = {bound: Poly.atom(other) for bound, other in own.items()}
        instead = {part: integers.put(value, named) for part, value in each.moved.items()}
        value = self.stored(each.store, instead, {}, each.store.rounds)
        when = integers.put_formula(integers.put_formula(each.when, named), moved)
        return self.algebra.total_over([*own.values()], when, value)

    def stored(self, store: Write, instead: Mapping[Atom, Poly], moved: Mapping[Atom, Poly], over: Sequence[LoopRun]) -> Form:
        """What a store leaves, of the thread and in the rounds that `instead` says. Rounds of the load that say which thread it
        is are no rounds of the store, though they may have their name: they are kept apart. A value of a round that both are in
        is the other thread's own; where threads have no numbers it cannot be told from this one's."""
        integers, algebra = self.algebra.integers, self.algebra
        there = self.staged.side.position
        if self.shape.extents is None:
            value = self.in_rounds(self.form(store.value, there), over)
            kinds = {algebra.factors[number].kind for number in algebra.all_inside(value)}
            if not store.is_private and kinds & {"hole", "after"}:
                raise CannotFollow("what a loop carries in another thread of a block whose size is not stated", store.place)
            return algebra.put(value, instead)
        depth = len(self._nested)
        apart = {loop.number: integers.variable(("of the load", depth, loop.number), "round") for loop in store.rounds}
        hidden = {number: Poly.atom(each) for number, each in apart.items()}
        there = tuple(integers.put(integers.put(part, {**moved, **instead}), hidden) for part in there)
        rounds = {each: integers.put(value, hidden) for each, value in instead.items() if each not in self.staged.side.threads}
        value = algebra.put(self.in_rounds(self.form(store.value, there), over), rounds)
        for number in algebra.all_inside(value):
            factor = algebra.factors[number]
            owner = factor.data[2] if factor.kind in ("hole", "after") and factor.data[0] != "carried" else ()
            if any(integers.depends(part, each) for part in owner for each in apart.values()):
                raise CannotFollow("what a thread carries that the round says", store.place)
        return algebra.put(value, {each: Poly.atom(number) for number, each in apart.items()})

    def seen(self, value: object, at: Position):  # type: ignore[no-untyped-def]
        assert isinstance(value, Row)
        return value.at(at)

    def cell(self, cell: Cell | None) -> Form:
        if cell is None:
            raise CannotFollow("a cell that may not have been set")
        return self.form(cell.node, self.shape.position_of(cell.lane))

    def gathered(self, node: Node, at: Position) -> Form:
        cells = node.data
        assert isinstance(cells, tuple)
        lane = self.shape.lane_of(at)
        if lane is not None:
            return self.nothing((id(node), lane)) if cells[lane] is None else self.cell(cells[lane])
        try:
            return self.gathered_in_step(cells, at)
        except NotAffine:
            return self.alike(node, at)

    def alike(self, node: Node, at: Position) -> Form:
        """A value that is the same for all values of a digit, as what a reduction by exchanges leaves."""
        for axis, part in enumerate(at):
            if part.constant is None:
                first: Form | None = None
                for digit in range(self.shape.digits[axis]):
                    value = self.algebra.settled(self.form(node, (*at[:axis], Poly.number(digit), *at[axis + 1:])))
                    first = value if first is None else first
                    if value != first:
                        break
                else:
                    assert first is not None
                    return first
        raise NotAffine

    def gathered_in_step(self, cells: tuple[Cell | None, ...], at: Position) -> Form:
        """A gather from one node, from lanes that follow the digits."""
        key = id(cells), self.shape.digits, tuple(part.constant for part in at)
        if key not in self._steps:
            self._steps[key] = self.step_of(cells, at)
        step = self._steps[key]
        if step is None:
            raise NotAffine
        cell, digits = step
        free = [part for part in at if part.constant is None]
        there = []
        for base, slopes in digits:
            value = Poly.number(base)
            for slope, part in zip(slopes, free, strict=True):
                value = value + part.scale(slope) if slope else value
            there.append(value)
        return self.form(cell.node, tuple(there))

    def step_of(self, cells: tuple[Cell | None, ...], at: Position) -> tuple[Cell, list[tuple[int, tuple[int, ...]]]] | None:
        """The cell that the first of some lanes gets, and how each digit of the lane that is read follows their free digits; None
        where they read several nodes, or lanes that do not follow."""
        lanes, sizes = self.shape.beside(at)
        first = cells[lanes[0]]
        chosen = [cell for lane in lanes if (cell := cells[lane]) is not None]
        if first is None or len(chosen) < len(lanes) or any(cell.node is not first.node for cell in chosen):
            return None
        found, stride = [], 1
        for size in self.shape.digits:
            step = steps_of([cell.lane // stride % size for cell in chosen], sizes)
            if step is None:
                return None
            found.append(step)
            stride *= size
        return first, found

    def picked(self, choice: Choice) -> Form:
        algebra = self.algebra
        test = self.test_of(choice.test, self.shape.position_of(choice.lane))
        if not choice.positive:
            test = algebra.minus(ONE, test)
        if test.constant is not None:
            return self.cell(choice.then if test.constant else choice.other)
        other = self.nothing(id(choice)) if choice.other is None else self.cell(choice.other)
        return self.choose(test, self.cell(choice.then), other)

    def nothing(self, what: Hashable) -> Form:
        """What nobody has set: no form but itself equals it."""
        return self.algebra.of(self.algebra.factor("nothing", (self.side, what)))

    def choose(self, test: Form, then: Form, other: Form) -> Form:
        algebra = self.algebra
        if then == other:
            return then
        found = self.ordered(test, then, other)
        if found is not None:
            return found
        return algebra.plus(other, algebra.times(test, algebra.minus(then, other)))

    def test_of(self, value: Value, at: Position) -> Form:
        if isinstance(value, Node):
            return self.form(value, at)
        return self.algebra.bracket(self.seen(value, at))

    def selected(self, node: Node, at: Position) -> Form:
        test, then, other = node.args
        chosen = self.form(test, at)
        if chosen.constant is not None:
            return self.form(then if chosen.constant else other, at)
        return self.extreme_choice(node, at) or self.choose(chosen, self.form(then, at), self.form(other, at))
