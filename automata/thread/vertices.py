"""The vertices of the dependence graph, and the sources and sinks at its ends.

A vertex stands for a value: a definition, a read, the operands of a test, what decides whether a location is
reached. Edges lead to what it is computed from and carry their *cause*, what in the text makes the link.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from automata.lang.core import (
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    Havoc,
    Load,
    Print,
    Store,
)
from automata.place import NOWHERE, Place
from automata.scalar import BOOL

Kind = Literal["scalar", "size", "thread", "block", "array", "undefined", "order", "made-up", "rounded", "chosen"]
What = Literal["read", "write", "value", "atomic", "copy_read", "copy_write", "collective", "barrier", "loop", "claim", "print"]
_TRUE = Const(1, BOOL)


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Something a run starts from.

    `scalar` a parameter, `size` a blockDim or gridDim axis, `thread` and `block` a threadIdx and blockIdx axis,
    `array` the initial contents of a global array, an image or a texture, `undefined` the value of a local or array that
    nobody wrote or knows, `order` the order in which threads reach an array by atomics. `made-up` a value that the machine
    invents (random numbers, addresses of objects), `rounded` one that a device may round otherwise than the
    machine does, `chosen` one that each device chooses.
    """

    kind: Kind
    name: str


CONFIGURATION = frozenset[Kind]({"scalar", "size", "thread", "block"})
"""Sources that a launch fixes, whatever the data are."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The part of a test in what depends on it."""

    test: Expr
    place: Place
    what: str


Statement = Declare | Assign | Havoc | Store | Atomic | Collective | AsyncCopy | AsyncWait | Claim | Print | Fence
Cause = Decision | Load | Barrier | Statement
Input = tuple["Node", Cause | None]


@dataclass(eq=False, slots=True)
class Node:
    """A vertex. `location`: where its value is made. `inputs`: what it is made from, and by what (None: passed on)."""

    location: int
    inputs: list[Input] = field(default_factory=list)


class Contents(NamedTuple):
    """What an array holds, as a whole."""

    array: str

    def __str__(self) -> str:
        return f"{self.array}[]"


Holder = str | Contents
"""What has a value: a local by its name, or an array's contents."""


@dataclass(eq=False, slots=True)
class Leaf(Node):
    """A source."""

    source: Source = Source("undefined", "")


@dataclass(eq=False, slots=True)
class Phi(Node):
    """A local, or an array's contents, where ways meet. `ways`: what arrives from each predecessor.

    Its inputs are left to `Graph.complete`: most are never asked for.
    """

    holder: Holder = ""
    ways: dict[int, Node] = field(default_factory=dict)

    @property
    def is_array(self) -> bool:
        return isinstance(self.holder, Contents)


@dataclass(eq=False, slots=True)
class Test(Node):
    """The operands of a test."""

    expr: Expr = _TRUE
    place: Place = NOWHERE


@dataclass(eq=False, slots=True)
class Content(Node):
    """What a store puts into an array, or what a read finds there, apart from where that is and from whether it happens."""


@dataclass(frozen=True, slots=True)
class Root:
    """A sink with the vertices it depends on. `cause`: what reaches memory or waits, None for a loop."""

    what: What
    array: str
    location: int
    place: Place
    cause: Cause | None
    index: Node
    guard: Node
