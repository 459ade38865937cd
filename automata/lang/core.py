"""Core: the one typed tree that every front end produces and every later pass reads.

The grammar, stated once (T is a `Scalar`, from `automata.scalar`):

    Expr ::= Const T value | Var T name | Special T quantity axis
           | Unary T op Expr | Binary T op Expr Expr | Cast T Expr | Select T Expr Expr Expr
           | Load T array Expr*  | Call T function Expr*
    Stmt ::= Declare name T | Assign name Expr | Store array Expr* Expr
           | If Expr Stmt* Stmt* | For name Expr Expr Stmt Stmt* | Barrier fences | Return
    Kernel ::= name, parameters, arrays, locals, Stmt*

Conversions are explicit: both operands of a `Binary` have one type (a shift: the left one's), a
comparison yields BOOL, an index is an integer of whatever type the source gave it. `&&`, `||` and
`Select` evaluate their right sides only when C does, so a `Load` below them is guarded.
Expressions have no effects; locals are renamed apart, so a name is declared once in a kernel.
`For` lives only between the front end and `lower`, which unrolls it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from automata.place import NOWHERE, Place
from automata.scalar import Scalar


class Space(Enum):
    """An address space that a barrier may fence."""

    GLOBAL = "global"
    SHARED = "shared"


class Quantity(Enum):
    """A coordinate or size of the launch; the value is its CUDA name."""

    THREAD = "threadIdx"
    BLOCK = "blockIdx"
    BLOCK_DIM = "blockDim"
    GRID_DIM = "gridDim"


Axis = Literal["x", "y", "z"]
AXES: tuple[Axis, Axis, Axis] = ("x", "y", "z")

UnaryOp = Literal["-", "~", "!"]
BinaryOp = Literal["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||"]
COMPARISONS = frozenset({"<", "<=", "==", "!="})
LOGICAL = frozenset({"&&", "||"})


@dataclass(frozen=True, slots=True)
class Const:
    value: int | float
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Var:
    """A local or a scalar parameter."""

    name: str
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Special:
    """threadIdx, blockIdx, blockDim or gridDim along one axis."""

    quantity: Quantity
    axis: Axis
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def name(self) -> str:
        return f"{self.quantity.value}.{self.axis}"


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    arg: Expr
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Cast:
    arg: Expr
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Select:
    """`test ? then : other`; the test is BOOL."""

    test: Expr
    then: Expr
    other: Expr
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Load:
    """An element of an array; `index` has one entry per dimension."""

    array: str
    index: tuple[Expr, ...]
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A pure function of the device library, named in `builtins.FUNCTIONS`."""

    function: str
    args: tuple[Expr, ...]
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


Expr = Const | Var | Special | Unary | Binary | Cast | Select | Load | Call


@dataclass(frozen=True, slots=True)
class Declare:
    """A local comes to life with an undefined value."""

    name: str
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    name: str
    value: Expr
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    array: str
    index: tuple[Expr, ...]
    value: Expr
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class For:
    """A counted loop: `counter` runs from `start` while `test`, becoming `step` after each round."""

    counter: str
    start: Expr
    test: Expr
    step: Expr
    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Barrier:
    """A block barrier; memory is ordered only in the address spaces it fences."""

    fences: frozenset[Space]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    place: Place = field(default=NOWHERE, compare=False)


Stmt = Declare | Assign | Store | If | For | Barrier | Return


@dataclass(frozen=True, slots=True)
class Array:
    """An array parameter or a shared array.

    `dims`: declared extents, outermost first; a parameter and a dynamic shared array have the one
    extent None (unknown). `const`: the kernel promises not to write it.
    """

    name: str
    element: Scalar
    space: Space
    dims: tuple[int | None, ...]
    const: bool = False
    volatile: bool = False
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A scalar parameter."""

    name: str
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel. `order` names all parameters, scalars and arrays, as declared."""

    name: str
    dialect: Literal["cuda", "opencl"]
    order: tuple[str, ...]
    params: tuple[Param, ...]
    arrays: tuple[Array, ...]
    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def array(self, name: str) -> Array:
        """The array of that name; KeyError if there is none."""
        for array in self.arrays:
            if array.name == name:
                return array
        raise KeyError(name)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, in evaluation order."""
    match expr:
        case Const() | Var() | Special():
            return ()
        case Unary(arg=arg) | Cast(arg=arg):
            return (arg,)
        case Binary(left=left, right=right):
            return (left, right)
        case Select(test=test, then=then, other=other):
            return (test, then, other)
        case Load(index=index):
            return index
        case Call(args=args):
            return args
