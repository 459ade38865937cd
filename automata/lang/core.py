"""Core: the one typed tree that every later pass reads.

The grammar, stated once (T is a `Scalar`, from `automata.scalar`):

    Expr ::= Const T value | Var T name | Special T quantity axis
           | Unary T op Expr | Binary T op Expr Expr | Cast T Expr | Bits T Expr | Select T Expr Expr Expr
           | Load T array Expr*  | Call T function Expr*
    Stmt ::= Declare name T | Assign name Expr | Havoc name | Store array Expr* Expr
           | Atomic name? op array Expr* Expr* | Collective name op scope Expr*
           | If Expr Stmt* Stmt* | Loop label Expr Stmt* Stmt* | Block label Stmt* | Leave label | Return
           | Barrier scope fences | Fence scope | AsyncCopy | AsyncWait | Later Stmt* | Settle Expr? | Claim kind Expr
           | Print Expr*
    Kernel ::= name, parameters, arrays, requirements, Stmt*

Conversions are explicit: both operands of a `Binary` have one type (a shift: the left one's), a
comparison yields BOOL, an index is an integer of whatever type the source gave it. `&&`, `||` and
`Select` evaluate their right sides only when C does, so a `Load` below them is guarded.
Expressions have no effects; locals are renamed apart, so a name is declared once in a kernel.
There are no functions, pointers, records or vectors: `elaborate` has inlined and split them. Control
leaves a `Block` at its end or by `Leave`; a `Loop` by its test or by `Leave`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from automata.lang.fences import Fence as Fence
from automata.lang.spaces import AXES as AXES
from automata.lang.spaces import FENCED as FENCED
from automata.lang.spaces import Axis as Axis
from automata.lang.spaces import Quantity as Quantity
from automata.lang.spaces import Scope as Scope
from automata.lang.spaces import Space as Space
from automata.place import NOWHERE, Place
from automata.scalar import Scalar

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
class Bits:
    """The same bits read as another type of the same width."""

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
    """A pure function of the device library by its canonical name; equal arguments give an equal value.

    The name of a fetch holds its handles and the component that is meant (`read_imagef:src:sampler.x`). `handles`: image first.
    """

    function: str
    args: tuple[Expr, ...]
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)
    handles: tuple[str, ...] = field(default=(), compare=False)

    @property
    def source(self) -> str:  # the image or texture that is fetched from; empty for other functions
        return self.handles[0] if self.handles else ""


Expr = Const | Var | Special | Unary | Binary | Cast | Bits | Select | Load | Call


@dataclass(frozen=True, slots=True)
class Declare:
    """A local comes to life with an undefined value. `element_of`: the private array that it was an element of."""

    name: str
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)
    element_of: str = field(default="", compare=False)


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
class Loop:
    """`while (test) { body; step }`; `Leave(label)` in it ends the loop."""

    label: str
    test: Expr
    body: tuple[Stmt, ...]
    step: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that `Leave(label)` jumps to the end of."""

    label: str
    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Leave:
    """A jump to the end of the enclosing `Block` or `Loop` of that label."""

    label: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    """The thread is done."""

    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Havoc:
    """A local takes a value that nobody can predict; `what` says where it comes from. `effects`: something else may have happened
    as well (memory written, threads met), and nobody knows what."""

    name: str
    what: str
    place: Place = field(default=NOWHERE, compare=False)
    effects: bool = True


@dataclass(frozen=True, slots=True)
class Atomic:
    """An atomic update of one element. `result`: the local that takes the old value, None when it is not used.

    `op`: add sub exch min max inc dec and or xor cas, or load, which changes nothing. `args`: the operand (cas: expected, new;
    load: any constant), of the element's type, or of a wider one: then it updates several elements from `index` on, the first the
    lowest bytes of the value, and the array sees updates of this type alone. `scope`: which threads it is atomic among.
    """

    result: str | None
    op: str
    array: str
    index: tuple[Expr, ...]
    args: tuple[Expr, ...]
    scope: Scope
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def type(self) -> Scalar:
        """The type of the value that is updated."""
        return self.args[0].type


@dataclass(frozen=True, slots=True)
class Collective:
    """Threads of a warp or block exchange values; no memory is ordered by it.

    `op`: shfl shfl_up shfl_down shfl_xor all any ballot activemask match_any reduce_* and or count.
    `args`: as in the source; `mask`: the lanes that take part, None for all.
    """

    result: str
    op: str
    scope: Scope
    mask: Expr | None
    args: tuple[Expr, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Barrier:
    """Threads wait for each other; memory is ordered only in the address spaces that are fenced.

    `mask`: for a warp, the lanes that wait. `flags`: OpenCL's fence flags where each thread chooses them at run time
    (`fences` is empty then). Where both threads fence a space, what one did before is ordered before what the other does after;
    where the first does not fence, it is not; whether it is where only the first fences is not decided.
    """

    fences: frozenset[Space]
    scope: Scope = "block"
    mask: Expr | None = None
    place: Place = field(default=NOWHERE, compare=False)
    flags: Expr | None = None


@dataclass(frozen=True, slots=True)
class AsyncCopy:
    """A copy of `count` elements by the whole block that ends at the wait on `event`, a local of type I32. `joins`: the event
    may stand for copies that have begun before; otherwise nothing can wait for such a copy any more."""

    event: str
    target: str
    target_index: Expr
    source: str
    source_index: Expr
    count: Expr
    stride: Expr | None
    joins: bool = False
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AsyncWait:
    """The copies of these events have ended after this; every thread of the block waits."""

    events: tuple[str, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Later:
    """Copies by one thread, which goes on meanwhile: `body` stores at any time until a wait ends their group. See `in_flight`."""

    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Settle:
    """Waits until at most so many groups are under way, the youngest; None: what was begun since the last one is a group."""

    most: Expr | None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about the program: `kind` is assume, assert, invariant or ensures as the source says it; aligned: the wide
    access that follows is at a multiple of `unit` bytes if its array `of` begins at one ("": assumed; `begins`: stated at one of
    how many, nothing is assumed); landed: no copy of the thread is under way in the cell that follows; apart: by order alone."""

    kind: Literal["assume", "assert", "invariant", "ensures", "aligned", "landed", "apart"]
    test: Expr
    place: Place = field(default=NOWHERE, compare=False)
    of: str = ""
    unit: int = 0
    begins: int = 0


@dataclass(frozen=True, slots=True)
class Print:
    """A line that a thread prints, of these values: an output that the launch leaves, in no order among threads."""

    args: tuple[Expr, ...]
    place: Place = field(default=NOWHERE, compare=False)


Stmt = (Declare | Assign | Havoc | Store | Atomic | Collective | If | Loop | Block | Leave | Return | Barrier | Fence | AsyncCopy
        | AsyncWait | Later | Settle | Claim | Print)


@dataclass(frozen=True, slots=True)
class Array:
    """An array parameter, a shared array, a variable of the file, or a thread's own array.

    `dims`: declared extents, outermost first; a parameter and a dynamic shared array have the one
    extent None (unknown). `const`: the kernel promises not to write it. `restrict`: it promises that no
    other parameter reaches it. A field of an array of records is an array of its own, `name.field`, `of` that one.
    `unit`: bytes of the element that the source declares, where that is another (0: the same).
    `content`: what a constant table holds, in row-major order, where the source says it for good. `initial`: what a variable of
    the file holds at first, which the host may change: numbers in the same order, or the text of what is not known.
    `external`: the file declares it and another file defines it. `lies`: of a field of records, its distance from their start in
    bytes and that of the elements at each subscript.
    """

    name: str
    element: Scalar
    space: Space
    dims: tuple[int | None, ...]
    const: bool = False
    volatile: bool = False
    restrict: bool = False
    unit: int = 0
    content: tuple[int | float, ...] | None = None
    initial: tuple[int | float, ...] | str | None = field(default=None, compare=False)
    external: bool = field(default=False, compare=False)
    place: Place = field(default=NOWHERE, compare=False)
    lies: tuple[int, ...] = field(default=(), compare=False)
    of: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A scalar parameter."""

    name: str
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel. `order` names all parameters, scalars and arrays, as declared. `slots`: of each argument of a call, the scalar
    parameter that takes it as it is, "" if it is none; `fields`: if it is a structure, the one for each; `buffers`: the array
    to which it points, or which arrays of fields are `of`, "" if it is none; `aligns`: at multiples of how many bytes that lies.
    `requires`: tests on parameters and sizes that the source itself demands of a launch. `assumptions`: what
    reading it took for granted, in words.
    """

    name: str
    dialect: Literal["cuda", "opencl"]
    order: tuple[str, ...]
    params: tuple[Param, ...]
    arrays: tuple[Array, ...]
    body: tuple[Stmt, ...]
    requires: tuple[Expr, ...] = ()
    assumptions: tuple[str, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)
    slots: tuple[str, ...] = ()
    buffers: tuple[str, ...] = field(default=(), compare=False)
    aligns: tuple[int, ...] = field(default=(), compare=False)
    fields: tuple[tuple[tuple[str, str], ...], ...] = field(default=(), compare=False)

    def array(self, name: str) -> Array:
        """The array of that name; KeyError if there is none."""
        for array in self.arrays:
            if array.name == name:
                return array
        raise KeyError(name)

    def width(self, update: Atomic) -> int:
        """How many elements an atomic update covers."""
        return max(1, update.type.bytes // self.array(update.array).element.bytes)
