"""What of a kernel is numbers at a launch, and what is data: the static information flow that symbolic runs rest on.

Input: a kernel. Output: a `Partition`: the locals and arrays that hold data. Sizes, coordinates and scalars that the launch
fixes are numbers, and so is whatever is computed from them alone; the contents of global arrays are data,
and whatever data flow into, through values and through indices. Tests on data are not followed: `predication` turns what
happens under them into values.

Floats may count as data for another reason: over the reals 1.0f/n is the rational number, not its rounding. Then
(`exact`) a float local or array is data unless some number hangs on it (an index, a test on numbers, a cast to int).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from automata.lang.core import (
    Array,
    Assign,
    AsyncCopy,
    Atomic,
    Call,
    Collective,
    Declare,
    Expr,
    Havoc,
    Kernel,
    Load,
    Space,
    Stmt,
    Store,
    Var,
)
from automata.lang.exactness import is_exact
from automata.lang.traverse import children, expressions, walk
from automata.passes import passing
from automata.place import UndecidedError
from automata.scalar import Scalar


@dataclass
class Partition:
    """The names of locals and arrays that hold data. `inexact`: calls whose value no number stands for."""

    locals: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    inexact: Callable[[Call], bool] = lambda call: not is_exact(call.function)

    def is_data(self, expr: Expr) -> bool:
        """Whether the value of an expression hangs on data."""
        match expr:
            case Var(name=name) if name in self.locals:
                return True
            case Load(array=array) if array in self.arrays:
                return True
            case Call() if self.inexact(expr):
                return True
        return any(map(self.is_data, children(expr)))


@passing("partition")
def partition(kernel: Kernel, free: frozenset[str], *, exact: bool) -> Partition:
    """The partition of a kernel. `free`: scalar parameters without a value; `exact`: floats are data wherever they can be."""
    found = _Flow(kernel, free)
    found.spread()
    if exact:
        found.widen()
        found.spread()
    return found.made


class _Flow:
    """Spreads data over the names of one kernel until nothing changes."""

    def __init__(self, kernel: Kernel, free: frozenset[str]) -> None:
        self.kernel = kernel
        self.made = Partition(set(free), {array.name for array in kernel.arrays if _is_input(array)})
        self.types: dict[str, Scalar] = {param.name: param.type for param in kernel.params}
        self.types |= {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}
        for stmt in walk(kernel.body):
            if isinstance(stmt, Atomic) and kernel.width(stmt) > 1:
                raise UndecidedError(f"an atomic on {stmt.type} in memory that is also reached as another type", stmt.place)

    def size(self) -> int:
        return len(self.made.locals) + len(self.made.arrays)

    def spread(self) -> None:
        before = -1
        while before != self.size():
            before = self.size()
            for stmt in walk(self.kernel.body):
                self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        is_data = any(map(self.made.is_data, expressions(stmt)))
        match stmt:
            case Havoc(name=name):
                self.made.locals.add(name)
            case Assign(name=name) if is_data:
                self.made.locals.add(name)
            case Store(array=array) if is_data:
                self.made.arrays.add(array)
            case Atomic(array=array, result=result):
                if is_data:
                    self.made.arrays.add(array)
                if result is not None and array in self.made.arrays:
                    self.made.locals.add(result)
            case Collective(result=result) if is_data:
                self.made.locals.add(result)
            case AsyncCopy(source=source, target=target) if is_data or source in self.made.arrays:
                self.made.arrays.add(target)

    # -- floats ---------------------------------------------------------------------------------

    def widen(self) -> None:
        """Make floats data that no number needs."""
        needed = self.needed()
        for name, kind in self.types.items():
            if kind.is_float and name not in needed:
                self.made.locals.add(name)
        for array in self.kernel.arrays:
            if array.element.is_float and array.name not in needed:
                self.made.arrays.add(array.name)

    def needed(self) -> set[str]:
        """Floats that are numbers and that a test, an index or an integer that is a number hangs on."""
        found: set[str] = set()
        for stmt in walk(self.kernel.body):
            for expr in expressions(stmt):
                for part in _whole(expr):
                    if not self.made.is_data(part):
                        found |= _floats(part)
        before = -1
        while before != len(found):
            before = len(found)
            for stmt in walk(self.kernel.body):
                match stmt:
                    case Assign(name=name, value=value) if name in found:
                        found |= _floats(value)
                    case Store(array=name, value=value) if name in found:
                        found |= _floats(value)
                    case Collective(result=name, args=args) if name in found:
                        found |= {item for arg in args for item in _floats(arg)}
        return found


def _is_input(array: Array) -> bool:
    return array.space is Space.GLOBAL and array.content is None


def _whole(expr: Expr) -> Iterator[Expr]:
    """The outermost parts of an expression that are integers or tests, whatever stands around them."""
    if expr.type.is_int:
        yield expr
        return
    for part in children(expr):
        yield from _whole(part)


def _floats(expr: Expr) -> set[str]:
    """The float locals and arrays in an expression."""
    found: set[str] = set()
    match expr:
        case Var(name=name, type=kind) if kind.is_float:
            found.add(name)
        case Load(array=array, type=kind) if kind.is_float:
            found.add(array)
    for part in children(expr):
        found |= _floats(part)
    return found


