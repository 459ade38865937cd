"""The typed tree: what both front ends say about a kernel, before inlining and desugaring.

It still has functions, pointers, records, effects inside expressions and C's control flow; it no
longer has names to look up, overloads, templates, implicit conversions or macros. `elaborate` turns it
into Core, once for both front ends.

    Expr ::= Literal | Name variable | Query quantity axis | Deref Expr | Index Expr Expr | Member Expr field
           | Swizzle Expr components | AddressOf Expr | Unary op Expr | Binary op Expr Expr | Convert Expr
           | Bits Expr | Copy Expr | Conditional Expr Expr Expr | Assign Expr Expr | Update op Expr Expr | Step op Expr
           | Comma Expr Expr | Construct Expr* | Invoke function Expr* | Library name Expr*
           | FunctionName function | InvokeThrough Expr Expr*
    Stmt ::= Declare variable Expr? | Evaluate Expr | If Expr Stmt* Stmt* | Loop Stmt* Expr? Expr? Stmt*
           | Switch Expr Stmt* | Case value | Break | Continue | Return Expr? | Label | Goto | Group Stmt*

Every expression has a type and the user's place. A place in memory (an lvalue) is a Name, Deref, Index,
Member or Swizzle; used as a value it is read, with no node for that. Conversions are explicit: the
operands of an arithmetic `Binary` have one type (a shift: the left one's), tests are BOOL.
An array used as a pointer is `Convert` from ArrayOf(T, n) to Pointer(T); `Index` takes an array place or
a pointer value as its base. Trees are plain dataclasses compared by content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal as Choice

from automata.lang.core import Axis, Quantity
from automata.lang.types import Type
from automata.place import NOWHERE, Place
from automata.scalar import Scalar


class Storage(Enum):
    """Where a variable lives."""

    LOCAL = "local"
    PARAM = "parameter"
    SHARED = "shared"
    DYNAMIC = "dynamic shared"
    GLOBAL = "global"
    CONSTANT = "constant"


@dataclass(eq=False, slots=True)
class Variable:
    """A variable or parameter; two are the same only if they are one object.

    `reference`: another name of the place it is bound to (C++ references; `this` is one named "this").
    `value`: the initial value of a file-level constant that the kernel may rely on.
    `initial`: what a variable of the file holds at first, which the host may change; as text where it is not read.
    `external`: declared here, defined in another file.
    `volatile`: reads may differ and are never merged.
    """

    name: str
    type: Type
    storage: Storage
    reference: bool = False
    const: bool = False
    volatile: bool = False
    value: Expr | None = None
    initial: Expr | str | None = None
    external: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Literal:
    """A number; of a pointer type: 0 the null pointer, 1 a text that the source spells out, with its bytes where it is read."""

    value: int | float
    type: Type
    place: Place = field(default=NOWHERE, compare=False)
    text: bytes = b""


@dataclass(frozen=True, slots=True)
class Name:
    variable: Variable
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Query:
    """threadIdx, blockIdx, blockDim or gridDim along one axis; always 32-bit unsigned in CUDA, size_t in OpenCL."""

    quantity: Quantity
    axis: Axis
    type: Scalar
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Deref:
    """What a pointer points to."""

    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """An element: the base is an array place or a pointer value; the index an integer of any type."""

    base: Expr
    index: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record place or value (`p->x` is a Member of a Deref)."""

    base: Expr
    name: str
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Swizzle:
    """Components of an OpenCL vector, by number: a Scalar for one, a Vector for several."""

    base: Expr
    components: tuple[int, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AddressOf:
    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """- ~ ! on a value of its own type (! on BOOL); - and ~ of a vector: of each component, in its type."""

    op: Choice["-", "~", "!"]
    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """C's binary operators but assignment and comma, `>` and `>=` among them, as written.

    Pointers: `p + i`, `p - i` (pointer on the left), `p - q`, comparisons. Vectors: on each component, in its
    type (not && and ||). The right side of a shift is below the width, or C says nothing (OpenCL's is masked).
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Convert:
    """A conversion to another type, implicit or written: scalar to scalar, array to pointer, pointer to pointer,
    integer 0 to a null pointer, pointer to BOOL, vector to vector by component, scalar to every component."""

    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Bits:
    """The same bytes read as another type of the same size (`__float_as_int`, `as_uint4`)."""

    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Copy:
    """What a place holds, as a value of its own: a reference to it is one to another place."""

    arg: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? then : other`; with an integer vector as its test: all are evaluated, the highest bit of each component chooses."""

    test: Expr
    then: Expr
    other: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; its own value is the target's new one."""

    target: Expr
    value: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Update:
    """`target op= value`, computed in the type `computed`, to which the value has been converted already
    (a shift: the value has its own promoted type; a pointer: `computed` is the pointer's type)."""

    op: str
    target: Expr
    value: Expr
    computed: Type
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """++ or --, before or after."""

    op: Choice["++", "--"]
    target: Expr
    postfix: bool
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Comma:
    left: Expr
    right: Expr
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Construct:
    """A record, array or vector made of its parts, one per field, element or component.

    Fewer parts than there are: the rest is zero. Parts of a vector may be shorter vectors.
    """

    parts: tuple[Expr, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Invoke:
    """A call of a function; arguments are converted, those for references places. `backwards`: the last is evaluated first."""
    function: Function
    args: tuple[Expr, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Library:
    """A call of the device library: `name` is an entry of `library`, arguments have its parameters' types."""
    name: str
    args: tuple[Expr, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A pointer to a function of the program; its type is Pointer(Code)."""

    function: Function
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class InvokeThrough:
    """A call through a pointer to a function; arguments are converted to the types that the pointer's type says."""

    pointer: Expr
    args: tuple[Expr, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


Expr = (Literal | Name | Query | Deref | Index | Member | Swizzle | AddressOf | Unary | Binary | Convert | Bits | Copy
        | Conditional | Assign | Update | Step | Comma | Construct | Invoke | Library | FunctionName | InvokeThrough)


@dataclass(frozen=True, slots=True)
class Declare:
    """A local comes to life. `init` None: with an undefined value. A reference is bound to the place `init`."""

    variable: Variable
    init: Expr | None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effects."""

    expr: Expr
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Loop:
    """for, while (no start, no step) and do-while (`post`: the test comes after the body).

    `test` None: for ever. Declarations in `start` live as long as the loop.
    """

    start: tuple[Stmt, ...]
    test: Expr | None
    step: Expr | None
    body: tuple[Stmt, ...]
    post: bool = False
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Switch:
    """`Case` statements stand in the body, at its top level or deeper; control falls through them."""

    value: Expr
    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    """`case value:`, None for `default:`; the statement that follows comes next in the list."""

    value: int | None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Break:
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Continue:
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Goto:
    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """A compound statement."""

    body: tuple[Stmt, ...]
    place: Place = field(default=NOWHERE, compare=False)


Stmt = Declare | Evaluate | If | Loop | Switch | Case | Break | Continue | Return | Label | Goto | Group


@dataclass(eq=False, slots=True)
class Function:
    """A function or kernel. The body is filled in when it is first called, so that functions may call each other.

    `body` None while it is not read, or if there is none (`outside`: it is defined elsewhere). `result`: what
    it returns; a method has "this" as its first parameter, a reference. `returns_place`: it returns a reference.
    """

    name: str
    result: Type
    params: tuple[Variable, ...]
    body: tuple[Stmt, ...] | None
    returns_place: bool = False
    place: Place = NOWHERE
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel as a front end read it. `assumptions`: what reading it took for granted, in words."""

    kernel: Function
    dialect: Choice["cuda", "opencl"]
    assumptions: tuple[str, ...] = ()
