"""Core's own rules of well-formedness, checked after each front end and pass in tests.

The front ends promise typed trees with explicit conversions and names that mean one thing each; every later pass relies on that
without looking. `violations` says where a tree breaks the promise. The tests look after every pass (`watched`).
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang import core
from automata.lang.core import COMPARISONS, LOGICAL, Array, Binary, Expr, Kernel, Stmt
from automata.lang.names import BUILTINS
from automata.lang.traverse import children, expressions, walk
from automata.place import Place
from automata.scalar import BOOL, I32, Scalar


class Watch:
    """Whether the rules are looked at after every pass: always in the tests."""

    is_on = False


def watched(kernel: Kernel, what: str) -> Kernel:
    """A kernel that a pass has made, as it is; AssertionError if it breaks the rules while somebody watches."""
    if Watch.is_on:
        broken = violations(kernel)
        assert not broken, (what, kernel.name, broken[:5])
    return kernel


def violations(kernel: Kernel) -> list[str]:
    """What is wrong with a kernel, empty if nothing."""
    spec = _Spec(kernel)
    return [*spec.names(), *(text for test in kernel.requires for text in spec.test(test)), *spec.block(kernel.body)]


class _Spec:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.arrays = {array.name: array for array in kernel.arrays}
        self.types: dict[str, Scalar] = {param.name: param.type for param in kernel.params}
        self.labels: list[str] = []

    def names(self) -> Iterator[str]:
        """A name is that of one thing: a size of the launch, a parameter, an array or a local, and of one type."""
        kinds: dict[str, object] = dict.fromkeys(BUILTINS, "a size of the launch")
        things: list[tuple[str, object]] = [(param.name, param.type) for param in self.kernel.params]
        things += [(array.name, "an array") for array in self.kernel.arrays]
        for name, kind in things:
            if name in kinds:
                yield f"{self.kernel.place}: '{name}' is {kinds[name]} and {kind}"
            kinds[name] = kind
        own: dict[str, Scalar] = {}
        for stmt in walk(self.kernel.body):
            if not isinstance(stmt, core.Declare):
                continue
            other = kinds.get(stmt.name) or own.setdefault(stmt.name, stmt.type)
            if other != stmt.type or stmt.name in kinds:
                yield f"{stmt.place}: '{stmt.name}' is declared as {stmt.type} and is {other}"

    def block(self, body: tuple[Stmt, ...]) -> Iterator[str]:
        for stmt in body:
            yield from self.statement(stmt)

    def statement(self, stmt: Stmt) -> Iterator[str]:
        for expr in expressions(stmt):
            yield from self.expr(expr)
        match stmt:
            case core.Declare(name=name, type=kind):
                self.types[name] = kind
            case core.Assign(name=name, value=value):
                yield from self.gets(stmt.place, name, value.type)
            case core.Store(array=array, index=index, value=value):
                yield from self.element(stmt.place, array, index, value.type)
            case core.If(test=test, then=then, other=other):
                yield from self.is_test(test)
                yield from self.block(then)
                yield from self.block(other)
            case core.Loop() | core.Block():
                yield from self.labelled(stmt)
            case core.Leave(label=label):
                if label not in self.labels:
                    yield f"{stmt.place}: '{label}' is left from outside"
            case core.Claim(test=test):
                yield from self.is_test(test)
            case _:
                yield from self.exchange(stmt)

    def exchange(self, stmt: Stmt) -> Iterator[str]:
        """Statements by which threads deal with each other, and unknown values."""
        match stmt:
            case core.Atomic(array=array, index=index, args=args, result=result):
                kind = own = args[0].type
                if array in self.arrays and kind.bytes > self.arrays[array].element.bytes:
                    own = self.arrays[array].element
                yield from self.element(stmt.place, array, index, own)
                if any(arg.type != kind for arg in args):
                    yield f"{stmt.place}: operands of an atomic differ in type"
                if result is not None:
                    yield from self.gets(stmt.place, result, kind)
            case core.Collective(result=name) | core.Havoc(name=name):
                if name not in self.types:
                    yield f"{stmt.place}: '{name}' is not declared"
            case core.Later(body=body):
                yield from self.block(body)
            case core.AsyncCopy(target=target, source=source, target_index=first, source_index=second):
                for side, at in ((target, first), (source, second)):
                    kind = self.arrays[side].element if side in self.arrays else I32
                    yield from self.element(stmt.place, side, (at,), kind)
            case _:
                return

    def gets(self, place: Place, name: str, kind: Scalar) -> Iterator[str]:
        if self.types.get(name) != kind:
            yield f"{place}: '{name}' of type {self.types.get(name)} is assigned a {kind}"

    def labelled(self, stmt: core.Loop | core.Block) -> Iterator[str]:
        if stmt.label in self.labels:
            yield f"{stmt.place}: label '{stmt.label}' inside itself"
        if isinstance(stmt, core.Loop):
            yield from self.is_test(stmt.test)
        self.labels.append(stmt.label)
        yield from self.block(stmt.body)
        if isinstance(stmt, core.Loop):
            yield from self.block(stmt.step)
        self.labels.pop()

    def is_test(self, expr: Expr) -> Iterator[str]:
        if expr.type != BOOL:
            yield f"{expr.place}: a test of type {expr.type}"

    def test(self, expr: Expr) -> Iterator[str]:
        yield from self.expr(expr)
        yield from self.is_test(expr)

    def element(self, place: Place, name: str, index: tuple[Expr, ...], kind: Scalar) -> Iterator[str]:
        array: Array | None = self.arrays.get(name)
        if array is None:
            yield f"{place}: no array '{name}'"
            return
        if len(index) != len(array.dims):
            yield f"{place}: '{name}' with {len(index)} subscripts"
        if array.element != kind:
            yield f"{place}: an element of '{name}' as {kind}"
        for part in index:
            if not part.type.is_int or part.type == BOOL:
                yield f"{part.place}: a subscript of type {part.type}"

    def expr(self, expr: Expr) -> Iterator[str]:
        for part in children(expr):
            yield from self.expr(part)
        if isinstance(expr, core.Load):
            yield from self.element(expr.place, expr.array, expr.index, expr.type)
        elif not self.well_typed(expr):
            yield f"{expr.place}: ill-typed {type(expr).__name__} of type {expr.type}"

    def well_typed(self, expr: Expr) -> bool:
        match expr:
            case core.Const(value=value, type=kind):
                return isinstance(value, float) if kind.is_float else isinstance(value, int) and kind.holds(value)
            case core.Var(name=name, type=kind):
                return self.types.get(name) == kind
            case core.Unary(op=op, arg=arg, type=kind):
                return arg.type == kind and (op != "!" or kind == BOOL)
            case Binary():
                return _binary(expr)
            case core.Select(test=test, then=then, other=other, type=kind):
                return test.type == BOOL and then.type == other.type == kind
            case core.Cast(arg=arg, type=kind):
                return arg.type != kind
            case core.Bits(arg=arg, type=kind):
                return arg.type != kind and arg.type.bits == kind.bits
            case core.Special() | core.Load() | core.Call():
                return True


def _binary(expr: Binary) -> bool:
    left, right = expr.left.type, expr.right.type
    if expr.op in LOGICAL:
        return left == right == expr.type == BOOL
    if expr.op in COMPARISONS:
        return left == right and expr.type == BOOL
    if expr.op in ("<<", ">>"):
        return left == expr.type and left.is_int and right.is_int
    return left == right == expr.type
