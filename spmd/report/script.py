"""A counterexample as a script for Python and NumPy: both kernels, thread by thread, on the inputs that tell them apart.

Input: a difference with its launches. Output: text that runs by itself, prints the cell of both sides and ends with 0 if they
differ. Each kernel of Core becomes a generator function, statement by statement; `simt` stands before them. A jump out of
several blocks sets `go` and breaks out of one after another. InputError, by name, for what NumPy has no word for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from inspect import getsource
from typing import Any

import numpy as np

from automata.lang.core import (
    Array,
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Binary,
    Bits,
    Block,
    Call,
    Cast,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    If,
    Kernel,
    Leave,
    Load,
    Loop,
    Print,
    Quantity,
    Return,
    Select,
    Space,
    Special,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.lang.traverse import walk
from automata.machine.state.memory import Cells
from automata.place import InputError
from automata.scalar import Scalar
from equivalence.domains.functions import OPERATORS, stem
from equivalence.result import Counterexample, Launched
from spmd.report import simt

_NAMES = {"bool": "np.bool_", "float": "f32", "double": "f64", "half": "f16"}
_PLACES = {Quantity.THREAD: "thread", Quantity.BLOCK: "block", Quantity.BLOCK_DIM: "block_dim", Quantity.GRID_DIM: "grid_dim"}
_CALLS = {
    "sqrt": "np.sqrt({})", "rsqrt": "1 / np.sqrt({})", "recip": "1 / {}", "divide": "{} / {}", "exp": "np.exp({})",
    "exp2": "np.exp2({})", "exp10": "np.power(10, {})", "expm1": "np.expm1({})", "log": "np.log({})", "log2": "np.log2({})",
    "log10": "np.log10({})", "log1p": "np.log1p({})", "sin": "np.sin({})", "cos": "np.cos({})", "tan": "np.tan({})",
    "asin": "np.arcsin({})", "acos": "np.arccos({})", "atan": "np.arctan({})", "atan2": "np.arctan2({}, {})",
    "sinh": "np.sinh({})", "cosh": "np.cosh({})", "tanh": "np.tanh({})", "fabs": "np.fabs({})", "abs": "np.abs({})",
    "fmax": "np.fmax({}, {})", "fmin": "np.fmin({}, {})",
    "max": "np.maximum({}, {})", "min": "np.minimum({}, {})",
    "pow": "np.power({}, {})", "powr": "np.power({}, {})", "fmod": "np.fmod({}, {})", "floor": "np.floor({})",
    "ceil": "np.ceil({})", "trunc": "np.trunc({})", "rint": "np.rint({})", "nearbyint": "np.rint({})",
    "hypot": "np.hypot({}, {})",
    "copysign": "np.copysign({}, {})",
    "isnan": "np.isnan({})",
    "isinf": "np.isinf({})", "isfinite": "np.isfinite({})",
    "fma": "{} * {} + {}", "mad": "{} * {} + {}", "popcount": "np.bitwise_count({})",
    "popc": "np.bitwise_count({})"}
"""Functions of the device library, by the names that suffixes are taken off."""

_HEAD = '''"""{what}

Both kernels run thread by thread on the same inputs; {array}[{cell}] ends up different. Run with Python and NumPy;
with --double, floats are doubles.
"""

import sys
{runtime}

f32, f64, f16 = np.float64 if "--double" in sys.argv else np.float32, np.float64, np.float16
i8, i16, i32, i64, u8, u16, u32, u64 = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
np.seterr(all="ignore")

'''


def replay_script(found: Counterexample, what: str) -> str:
    """The script. InputError for a kernel that has something in it that NumPy has no word for."""
    if found.relation:
        raise InputError("relations are not replayed as programs")
    if not found.memory:
        raise InputError("the cells that the kernels reach lie too far apart to be written down")
    source = getsource(simt)
    runtime = source[source.index("from collections.abc"):].rstrip() + "\n"
    parts = [_HEAD.format(what=what, array=found.array, cell=found.cell, runtime=runtime)]
    for side, launches in zip("ab", found.launches, strict=True):
        kernels = {launch.kernel: launch for launch in launches}
        for name, launch in kernels.items():
            parts.append("\n".join(_Writer(launch.core, f"{side}_{_word(name)}").function()) + "\n\n")
    for side, launches in zip("ab", found.launches, strict=True):
        parts.append("\n".join(_side(side, launches, found)) + "\n\n")
    parts.append(f'''a, b = run_a(), run_b()
print("{found.array}[{found.cell}]: a", a, "b", b)
sys.exit(0 if np.asarray(a).tobytes() != np.asarray(b).tobytes() else 1)
''')
    return "\n".join(parts)


def _side(side: str, launches: Sequence[Launched], found: Counterexample) -> Iterator[str]:
    """A function that runs all kernels of a side and gives the cell."""
    yield f"def run_{side}():"
    arrays = {array.name: array for launch in launches for array in launch.core.arrays if array.space is Space.GLOBAL}
    for name, (kind, cells) in found.memory.items():
        if name not in arrays or arrays[name].content is None:
            yield from _filled(_word(name), kind, cells, arrays[name].dims if name in arrays else (None,))
    for name, array in arrays.items():
        if name not in found.memory or array.content is not None:
            yield f"    {_word(name)} = {_content(array)}"
    for launch in launches:
        given = [_word(array.name) for array in launch.core.arrays if array.space is Space.GLOBAL]
        given += [f"{_type(kind)}({_number(value, kind)})" for value, kind in launch.scalars.values()]
        shared = [f"{_word(array.name)!r}: {_content(array, launch.extents.get(array.name))}" for array in launch.core.arrays
                  if array.space is Space.SHARED]
        made = f"lambda: {{{', '.join(shared)}}}"
        arguments = [f"{side}_{_word(launch.kernel)}", str(launch.grid), str(launch.block), made, *given]
        yield f"    launch({', '.join(arguments)})"
    yield f"    return {_word(found.array)}.reshape(-1)[{found.cell}]"
    yield ""


def _filled(word: str, kind: Scalar, cells: Cells, shape: tuple[int | None, ...]) -> Iterator[str]:
    """An array with its first contents, of which most may be zeros."""
    values = [_number(value, kind) for value in cells.tolist()]
    others = np.flatnonzero((cells != 0) | np.signbit(cells.astype(np.float64)))
    if others.size <= cells.size // 4:
        yield f"    {word} = np.zeros({cells.size}, {_type(kind)})"
        if others.size:
            yield f"    {word}[{others.tolist()}] = [{', '.join(values[at] for at in others)}]"
    else:
        yield f"    {word} = np.array([{', '.join(values)}], {_type(kind)})"
    if len(shape) > 1:
        row = math.prod(size or 1 for size in shape[1:])
        if cells.size % row:
            yield f"    {word} = np.append({word}, np.zeros({-cells.size % row}, {_type(kind)}))"
        yield f"    {word} = {word}.reshape({(-1, *shape[1:])})"


def _content(array: Array, extent: int | None = None) -> str:
    """What makes an array."""
    if array.content is not None:
        values = ", ".join(_number(value, array.element) for value in array.content)
        return f"np.array([{values}], {_type(array.element)}).reshape({array.dims})"
    dims = tuple(size if size is not None else extent or (48 << 10) // array.element.bytes for size in array.dims)
    return f"np.zeros({dims}, {_type(array.element)})"


def _type(kind: Scalar) -> str:
    if kind.name == "bfloat16":
        raise InputError("NumPy has no bfloat16")
    return _NAMES.get(kind.name) or (f"f{kind.bits}" if kind.is_float else f"{'i' if kind.signed else 'u'}{kind.bits}")


def _number(value: Any, kind: Scalar) -> str:
    if not kind.is_float:
        return repr(bool(value)) if kind.name == "bool" else repr(int(value))
    if math.isnan(value):
        return "np.nan"
    return repr(float(value)) if math.isfinite(value) else "np.inf" if value > 0 else "-np.inf"


def _word(name: str) -> str:
    """A name of Core as one of Python."""
    return "v_" + re.sub(r"\W", lambda found: f"_{ord(found[0]):x}_", name)


class _Writer:
    """Writes one kernel."""

    def __init__(self, kernel: Kernel, name: str) -> None:
        self.kernel, self.name = kernel, name
        self.locals = {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}

    def function(self) -> Iterator[str]:
        arrays = {space: [array for array in self.kernel.arrays if array.space is space] for space in Space}
        names = [array.name for array in arrays[Space.GLOBAL]] + [param.name for param in self.kernel.params]
        known = {array for space in (Space.GLOBAL, Space.SHARED, Space.PRIVATE) for array in arrays[space]}
        for array in self.kernel.arrays:
            if array not in known:
                raise InputError(f"array '{array.name}' lies in {array.space.value} memory", array.place)
        yield f"def {self.name}({', '.join(['thread', 'block', 'block_dim', 'grid_dim', 'memory', *map(_word, names)])}):"
        for array in arrays[Space.SHARED]:
            yield f"    {_word(array.name)} = memory[{_word(array.name)!r}]"
        for array in arrays[Space.PRIVATE]:
            yield f"    {_word(array.name)} = {_content(array)}"
        yield '    go = ""'
        yield from self.body(self.kernel.body, 1)
        yield "    return"
        yield '    yield Meeting("")'
        yield ""

    # -- statements -----------------------------------------------------------------------------

    def body(self, stmts: Sequence[Stmt], depth: int) -> Iterator[str]:
        lines = [line for stmt in stmts for line in self.statement(stmt, depth)]
        yield from lines or [f"{'    ' * depth}pass"]

    def statement(self, stmt: Stmt, depth: int) -> Iterator[str]:
        pad = "    " * depth
        match stmt:
            case Loop() | Block():
                yield from self.construct(stmt, depth)
            case If(test=test, then=then, other=other):
                yield f"{pad}if {self.expr(test)}:"
                yield from self.body(then, depth + 1)
                if other:
                    yield f"{pad}else:"
                    yield from self.body(other, depth + 1)
            case Leave(label=label):
                yield f"{pad}go = {label!r}"
                yield f"{pad}break"
            case Return():
                yield f"{pad}return"
            case Claim() | Print() | Fence():
                pass
            case _:
                yield pad + self.simple(stmt)

    def construct(self, stmt: Loop | Block, depth: int) -> Iterator[str]:
        """A loop, or a block as a loop of one round; after it, jumps that lead further go on."""
        pad = "    " * depth
        if isinstance(stmt, Loop):
            yield f"{pad}while {self.expr(stmt.test)}:"
            yield from self.body((*stmt.body, *stmt.step), depth + 1)
        else:
            yield f"{pad}for _ in range(1):"
            yield from self.body(stmt.body, depth + 1)
        if any(isinstance(inner, Leave) and inner.label == stmt.label for inner in walk(stmt.body)):
            yield f"{pad}go = go if go != {stmt.label!r} else ''"
        own = {inner.label for inner in walk(stmt.body) if isinstance(inner, Loop | Block)} | {stmt.label}
        if any(isinstance(inner, Leave) and inner.label not in own for inner in walk(stmt.body)):
            yield f"{pad}if go:"
            yield f"{pad}    break"

    def simple(self, stmt: Stmt) -> str:
        match stmt:
            case Declare(name=name, type=kind):
                return f"{_word(name)} = {_type(kind)}(0)"
            case Assign(name=name, value=value):
                return f"{_word(name)} = {self.expr(value)}"
            case Store(array=array, index=index, value=value):
                return f"{self.element(array, index)} = {self.expr(value)}"
            case Atomic(op=op, array=array, index=index, args=args):
                given = ", ".join([repr(op), _word(array), self.indices(array, index), *map(self.expr, args)])
                return f"{_word(stmt.result)} = atomic({given})" if stmt.result else f"atomic({given})"
            case Collective():
                return self.exchanged(stmt)
            case Barrier(scope=scope, place=place):
                return f'yield Meeting({scope!r}, "", "{place.line}:{place.column}")'
            case AsyncWait():
                return 'yield Meeting("block")'
            case AsyncCopy():
                return self.copied(stmt)
        raise InputError(f"{type(stmt).__name__} has no word in NumPy", stmt.place)

    def exchanged(self, stmt: Collective) -> str:
        if stmt.scope != "warp":
            raise InputError(f"an exchange among a {stmt.scope} has no word here", stmt.place)
        given = "".join(f"{self.expr(arg)}, " for arg in stmt.args)
        value = f'(yield Meeting("warp", {stmt.op!r}, "{stmt.place.line}:{stmt.place.column}", ({given})))'
        kind = self.locals.get(stmt.result)
        return f"{_word(stmt.result)} = {value if kind is None else f'cast({_type(kind)}, {value})'}"

    def copied(self, stmt: AsyncCopy) -> str:
        if stmt.stride is not None:
            raise InputError("a strided copy has no word in NumPy", stmt.place)
        start, origin, count = (self.expr(part) for part in (stmt.target_index, stmt.source_index, stmt.count))
        target, source = _word(stmt.target), _word(stmt.source)
        return f"{target}[{start}:{start} + {count}] = {source}[{origin}:{origin} + {count}]"

    # -- expressions ----------------------------------------------------------------------------

    def indices(self, array: str, index: Sequence[Expr]) -> str:
        """What NumPy takes for the element. In C rows lie one behind the other, so an index may leave its own row."""
        steps = ", ".join(map(self.expr, index))
        return f"at({_word(array)}, {steps})" if len(index) > 1 else steps or "()"

    def element(self, array: str, index: Sequence[Expr]) -> str:
        return f"{_word(array)}[{self.indices(array, index)}]"

    def expr(self, expr: Expr) -> str:
        match expr:
            case Const(value=value, type=kind):
                return f"{_type(kind)}({_number(value, kind)})"
            case Var(name=name):
                return _word(name)
            case Special(quantity=quantity, axis=axis, type=kind):
                return f"{_type(kind)}({_PLACES[quantity]}[{'xyz'.index(axis)}])"
            case Load(array=array, index=index):
                return self.element(array, index)
            case Binary():
                return self.binary(expr)
            case Call():
                return self.call(expr)
            case Unary() | Bits() | Cast() | Select():
                return self.part(expr)

    def part(self, expr: Unary | Bits | Cast | Select) -> str:
        match expr:
            case Select(test=test, then=then, other=other):
                return f"({self.expr(then)} if {self.expr(test)} else {self.expr(other)})"
            case Cast(arg=arg, type=kind):
                return f"cast({_type(kind)}, {self.expr(arg)})"
            case Bits(arg=arg, type=kind):
                return f"{self.expr(arg)}.view({_type(kind)})"
            case Unary(op=op, arg=arg):
                return f"(not {self.expr(arg)})" if op == "!" else f"({op}{self.expr(arg)})"

    def binary(self, expr: Binary) -> str:
        one, two = self.expr(expr.left), self.expr(expr.right)
        if expr.op in ("/", "%") and expr.type.is_int:
            return f"{'quotient' if expr.op == '/' else 'remainder'}({one}, {two})"
        if expr.op in ("<<", ">>"):
            return f"({one} {expr.op} {_type(expr.type)}({two}))"
        return f"({one} { {'&&': 'and', '||': 'or'}.get(expr.op, expr.op)} {two})"

    def call(self, expr: Call) -> str:
        rounded = re.match(r"__[dfh](add|sub|mul|div)_rn$", expr.function)
        form = f"{{}} {OPERATORS[rounded[1]]} {{}}" if rounded else _CALLS.get(stem(expr.function))
        if form is None or form.count("{}") != len(expr.args):
            raise InputError(f"'{expr.function}' has no word in NumPy", expr.place)
        args = [f"f64({self.expr(arg)})" if arg.type.is_float else self.expr(arg) for arg in expr.args]
        return f"cast({_type(expr.type)}, {form.format(*args)})"

