"""What a generic block computes: data as a graph, one node for all lanes, and what it leaves in memory.

Integers that sizes decide are rows of polynomials (`lanes.Row`), truths of them rows of formulas; everything else is a `Node`. A
node is made once for all lanes; what it is worth in one of them is worked out when somebody asks (`forms`, `evaluate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from automata.lang.core import Atomic
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.place import Place
from automata.scalar import Scalar
from equivalence.generic.lanes import Row

Op = Literal["const", "ints", "truth", "scalar", "load", "unary", "binary", "cast", "bits", "call", "select", "gather", "pick",
             "hole", "out", "made", "fetch", "passed", "nothing"]


@dataclass(eq=False)
class Node:
    """An operation on data, for all lanes.

    `data`: const: the number; ints, truth: a row; scalar: the parameter's name; load: the array and a row of flat
    indices; unary, binary: the operator; call: the function; gather: for each lane the cell it gets; pick: the cell that
    a condition of one lane chooses (`Choice`); hole: the loop and key of what a round begins with; out: the same of what
    the loop leaves; made: a value in a round of some loops, which are over (`Made`); fetch: an element of an
    array of the block or thread whose elements sizes decide (`Fetch`); passed: an element of global memory that a kernel before
    has stored (`Fetch`); nothing: a local that has no value.
    """

    op: Op
    type: Scalar
    args: tuple[Node, ...] = ()
    data: Any = None
    place: Place | None = None


Integers = Row[Poly]
Truths = Row[Formula]
Value = Integers | Truths | Node


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell of shared or private memory holds: a node as one lane sees it. `writer`: the lane that stored it."""

    node: Node
    lane: int
    writer: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two cells, by a test of a lane."""

    test: Value
    lane: int
    positive: bool
    then: Cell
    other: Cell | None


@dataclass(frozen=True, slots=True)
class Made:
    """A value that rounds of loops have made. `numbers`: of the round of each loop, for each lane."""

    value: Node
    rounds: tuple[LoopRun, ...]
    numbers: tuple[Row[Poly], ...]


CellKey = tuple[str, int, int]
"""An array, the lane that owns it (-1: the block), and the element."""
CarriedKey = str | CellKey
"""What a loop carries: a local of each lane, or a cell."""


@dataclass(frozen=True, slots=True)
class Write:
    """A store to global memory, or to an array that is not held by numbers of cells (`staged`), for all lanes: made where `guard`
    and the tests on data hold, in each round of the loops around.

    `order`: which store it is, in the order in which lanes come to them. `update`: it updates the cell. `parts`: the subscripts;
    `is_private`: of an array that each lane has for itself.
    """

    array: str
    guard: Truths
    tests: tuple[tuple[Node, bool], ...]
    index: Integers
    value: Node
    rounds: tuple[LoopRun, ...]
    order: int
    place: Place
    update: Atomic | None = None
    parts: tuple[Integers, ...] = ()
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Fetch:
    """A load of an array that is not held by numbers of cells, or that a kernel before has stored. `before`: how many stores to
    such had been made when it was."""

    array: str
    guard: Truths
    index: Integers
    parts: tuple[Integers, ...]
    rounds: tuple[LoopRun, ...]
    before: int
    place: Place


@dataclass(frozen=True, slots=True)
class Seen:
    """A load of global memory from an array that the kernel writes too; it takes what was there before the kernel, or what a
    store (`source`) has left. `before`: how many stores had been made when it was; those of rounds before come besides."""

    array: str
    guard: Truths
    index: Integers
    rounds: tuple[LoopRun, ...]
    before: int
    place: Place
    source: Write | None = None


@dataclass(eq=False)
class LoopRun:
    """A loop whose rounds sizes decide. `number`: of a round, from 0; `test`: when a lane makes it; `first`, `end`: what is
    carried, before the loop and at the end of a round; `holes`: what stands for it at the beginning of a round; `later`: of
    rounds before another one, when that is made."""

    number: Atom
    test: Truths
    place: Place
    first: Mapping[CarriedKey, Node | Cell | None] = field(default_factory=dict)
    end: Mapping[CarriedKey, Node | Cell] = field(default_factory=dict)
    holes: Mapping[CarriedKey, Node] = field(default_factory=dict)
    later: tuple[Truths, ...] = ()


@dataclass
class State:
    """Where all lanes are: what locals and cells hold; `path`: of each lane, when it is here, since the loop or the kernel began;
    `tests`: of data, which hold here; `wrote`: the lanes that have stored to a cell since the state was forked; `around`: the
    same of the states that it was forked from."""

    env: dict[str, Value]
    cells: dict[CellKey, Cell]
    path: Truths
    tests: tuple[tuple[Node, bool], ...] = ()
    wrote: dict[CellKey, set[int]] = field(default_factory=dict)
    around: tuple[dict[CellKey, set[int]], ...] = ()

    def fork(self, path: Truths, *more: tuple[Node, bool]) -> State:
        return State(dict(self.env), dict(self.cells), path, (*self.tests, *more), {}, (*self.around, self.wrote))

    def become(self, other: State) -> None:
        self.env, self.cells, self.path = other.env, other.cells, other.path
        self.have_written(other.wrote)

    def have_written(self, wrote: Mapping[CellKey, set[int]]) -> None:
        for key, lanes in wrote.items():
            self.wrote[key] = self.wrote.get(key, set()) | lanes

    def at(self, path: Truths) -> State:
        return replace(self, path=path)
