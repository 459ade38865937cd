"""Cells of shared and private memory in a generic block: what they hold, and behind a test which lanes have stored to them.

A cell has one value for all sizes, as one lane sees it. Where a test chooses between two, it is the test of the lane that stored;
so all lanes that have stored to a cell under a test must agree on it (`one_of`): of several lanes that each go by a test of
their own nobody can say whose value is there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence

from automata.lang.core import Array, Load, Space
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.place import Place
from automata.scalar import Scalar
from equivalence.generic.expressions import Expressions
from equivalence.generic.integers import CannotFollow
from equivalence.generic.lanes import Row
from equivalence.generic.values import Cell, CellKey, Choice, Node, State, Truths, Value


class Symbolic(CannotFollow):
    """An array whose elements cannot be held by numbers of cells; `staged` may follow it."""

    def __init__(self, array: str, reason: str, place: Place) -> None:
        super().__init__(reason, place)
        self.array = array


class Memory(Expressions):
    """Loads and stores of cells, and what they hold where ways meet. `name`: of the kernel, for people."""

    name: str

    def round_at(self, place: Place, *key: object) -> Atom:
        """The number of a round of the loop there."""
        return self.integers.variable(("round", *key), f"{self.name}.round@{place.line}", 0)

    @abstractmethod
    def spread(self, value: Truths) -> Sequence[Formula]: ...

    @abstractmethod
    def absolute(self, state: State) -> Truths: ...

    def keys(self, array: Array, index: Row[Poly], place: Place) -> Callable[[int], CellKey]:
        """The cell of shared or private memory that each lane means."""
        if self.shape.extents is None and array.space is Space.SHARED:
            raise Symbolic(array.name, "shared memory of a block whose size is not stated", place)
        owner = (lambda lane: lane) if array.space is Space.PRIVATE else (lambda lane: -1)
        numbers = [value.constant for value in index.values]
        if any(number is None for number in numbers):
            raise Symbolic(array.name, f"sizes decide a subscript of '{array.name}'", place)
        return lambda lane: (array.name, owner(lane), int(numbers[0 if len(numbers) == 1 else lane] or 0))

    def store_cells(self, key: Callable[[int], CellKey], value: Node, state: State) -> None:
        """All lanes that are here store."""
        together: dict[CellKey, set[int]] = {}
        for lane, path in enumerate(self.spread(state.path)):
            if path != P.FALSE:
                state.cells[key(lane)] = Cell(value, lane, lane)
                together.setdefault(key(lane), set()).add(lane)
        tests: list[Value] = [self.absolute(state), *(test for test, _ in state.tests)]
        for lanes in together.values():
            for test in tests:
                self.one_of(test, lanes)
        state.have_written(together)

    def gathered(self, array: Array, index: Row[Poly], state: State, expr: Load) -> Node:
        if array.content is not None:
            raise CannotFollow(f"the table '{array.name}'", expr.place)
        key = self.keys(array, index, expr.place)
        cells = tuple(state.cells.get(key(lane)) for lane in range(self.shape.lanes))
        return gather(expr.type, cells, expr.place)

    # -- where ways meet ----------------------------------------------------------------------------------

    def join_cells(self, state: State, test: Value, then: State, other: State) -> None:
        for key in {**then.cells, **other.cells}:
            before, one, two = (each.cells.get(key) for each in (state, then, other))
            result = before
            if two is not None and two is not before:
                result = self.picked(test, two, result, other.wrote.get(key, ()), positive=False)
            if one is not None and one is not before:
                result = self.picked(test, one, result, then.wrote.get(key, ()), positive=True)
            if result is not None:
                state.cells[key] = result
        for each in (then, other):
            state.have_written(each.wrote)

    def join_left(self, state: State, way: Truths, left: State) -> None:
        """Cells, where lanes that have left at `way` come to those that went on: both may have stored since."""
        for key in {**left.cells, **state.cells}:
            one, two = left.cells.get(key), state.cells.get(key)
            lanes = left.wrote.get(key, set()) | state.wrote.get(key, set())
            if two is not None and one is not two:
                state.cells[key] = self.picked(way, two, one, lanes, positive=False)
            elif one is not None and one is not two:
                state.cells[key] = self.picked(way, one, None, lanes, positive=True)
        state.have_written(left.wrote)

    def picked(self, test: Value, cell: Cell, other: Cell | None, lanes: Collection[int], *, positive: bool) -> Cell:
        """What a cell holds behind a test, under which these lanes have stored to it."""
        lane = self.one_of(test, lanes)
        if isinstance(test, Row):
            value = test.of(lane)
            if value in (P.TRUE, P.FALSE):
                return cell if (value == P.TRUE) is positive or other is None else other
        choice = Choice(test, lane, positive, cell, other)
        return Cell(Node("pick", cell.node.type, (), choice), 0, cell.writer)

    def one_of(self, test: Value, lanes: Collection[int]) -> int:
        """One of some lanes, for all of which a test is the same. CannotFollow if that is not sure."""
        first = min(lanes, default=None)
        if first is None or (len(lanes) > 1 and not (
                all(test.of(lane) == test.of(first) for lane in lanes) if isinstance(test, Row) else is_alike(test))):
            raise CannotFollow("lanes that store to one cell, each by a test of its own")
        return first


def gather(kind: Scalar, cells: tuple[Cell | None, ...], place: Place) -> Node:
    """A node that each lane gets from some cell."""
    return Node("gather", kind, (), cells, place)


def is_alike(node: Node) -> bool:
    """Whether a node is the same for all lanes, for sure."""
    match node.op:
        case "const" | "scalar":
            return True
        case "ints" | "truth":
            return bool(node.data.is_one)
        case "load":
            return bool(node.data[1].is_one)
        case "gather" | "pick" | "hole" | "out" | "fetch" | "passed" | "nothing":
            return False
    return all(map(is_alike, node.args))
