"""Requirements under which a kernel is deterministic, where it is not for all sizes.

Input: a kernel, a launch with free sizes, and the report on it. Output: a requirement (or two) under which everything that
was not proved is. The candidates are what launches of such kernels usually meet: blocks of whole warps or a power of two,
blocks as large as a tile, one block, an axis that is not used, sizes that cover the data, multiples of the constants in the
source. Only those are tried that the counterexamples break; each is added to the launch, and the proofs run again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod

from automata.budget import Budget
from automata.lang.contents import is_on_contents
from automata.lang.core import AXES, Atomic, Const, Expr, Kernel, Load, Quantity, Space, Store
from automata.lang.launch import Launch, read_requirement
from automata.lang.traverse import children, expressions, walk
from automata.logic import terms as T
from automata.place import InputError, UndecidedError
from automata.proof.determinism import Side, check
from automata.proof.known.context import Context, prepare
from automata.proof.known.launching import evaluate
from automata.verdict import Exactness, Outcome, Property, Report, Status

MAX_TRIES, MAX_CONSTANTS, MAX_DEPTH, MAX_ARRAYS = 16, 6, 2, 3
SECONDS_A_TRY = 8.0
Sizes = Mapping[str, int]
_NAME = re.compile(r"[A-Za-z_]\w*")
WANTED = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE, Property.ASSERTIONS, Property.BOUNDS)


@dataclass(frozen=True, slots=True)
class _Open:
    """Requirements so far, and the sizes at which something still goes wrong."""

    chosen: tuple[str, ...]
    broken: tuple[Sizes, ...]


def find_preconditions(kernel: Kernel, launch: Launch, report: Report, *, strict: bool, seconds: float) -> tuple[str, ...]:
    """Requirements that make what is not proved proved; none where none is found in time or in a number of tries."""
    budget = Budget.of(seconds)
    context = prepare(kernel, launch)
    wanted = [name for name in WANTED if report.properties.get(name) in (Outcome.REFUTED, Outcome.UNKNOWN)]
    every = (*on_contents(kernel, report), *on_extents(kernel, report), *candidates(kernel, context))
    texts = [text for text in every if text not in launch.requires and not is_on_host(text, (launch,))]
    tries = MAX_TRIES
    todo = [_Open((), _broken(report))]
    while todo and wanted and context.symbols():
        state = todo.pop(0)
        for text in _ranked(texts, state, kernel, context):
            if budget.is_spent or not tries:
                return ()
            tries -= 1
            chosen = (*state.chosen, text)
            with suppress(InputError, UndecidedError):
                now, _ = check(kernel, replace(launch, requires=(*launch.requires, *chosen)), strict=strict,
                               side=Side(budget=budget.within(SECONDS_A_TRY)))
                if now.writes and all(now.properties.get(name) is Outcome.PROVED for name in wanted):
                    return chosen
                if len(chosen) < MAX_DEPTH and _broken(now):
                    todo.append(_Open(chosen, _broken(now)))
    return ()


def is_on_host(text: str, launches: Iterable[Launch]) -> bool:
    """Whether a requirement names a value of the host, which nobody can state."""
    names = {param.name for launch in launches for param in launch.of_host}
    return bool(names and names & set(_NAME.findall(text)))


def _broken(report: Report) -> tuple[Sizes, ...]:
    return tuple(finding.sizes for finding in report.findings if finding.status is Status.CONFIRMED and finding.sizes)


def _ranked(texts: list[str], state: _Open, kernel: Kernel, context: Context) -> list[str]:
    """The candidates that counterexamples break, those that more of them break first."""
    counts = {text: _broken_by(text, state, kernel, context) for text in texts if text not in state.chosen}
    useful = [text for text, count in counts.items() if count or not state.broken]
    return sorted(useful, key=lambda text: -counts[text])


def _broken_by(text: str, state: _Open, kernel: Kernel, context: Context) -> int:
    """How many counterexamples break a requirement; one on contents, perhaps all."""
    if is_on_contents(text):
        return len(state.broken) + 1
    return sum(not holds(text, kernel, context, sizes) for sizes in state.broken)


def holds(text: str, kernel: Kernel, context: Context, sizes: Sizes) -> bool:
    """Whether a requirement may hold at some sizes."""
    values = {name: T.const(sizes[name], term.type) if name in sizes else term for name, term in context.values.items()}
    return evaluate(read_requirement(text, kernel), values) is not T.FALSE


def on_contents(kernel: Kernel, report: Report) -> Iterator[str]:
    """Requirements on arrays of integers that the kernel only reads, where a finding hangs on what memory holds: those that an
    array of indices meets, or one of the starts of rows."""
    if not any(finding.exactness is not Exactness.CIDI for finding in report.findings):
        return
    statements = list(walk(kernel.body))
    written = {stmt.array for stmt in statements if isinstance(stmt, Store | Atomic)}
    read = {expr.array for stmt in statements for root in expressions(stmt) for expr in _below(root) if isinstance(expr, Load)}
    arrays = [array.name for array in kernel.arrays if array.name in read - written and array.space is Space.GLOBAL
              and array.element.is_int and array.element.bits >= 32 and len(array.dims) == 1 and not array.unit]
    for name in arrays[:MAX_ARRAYS]:
        yield f"distinct({name})"
        yield f"{name}[i] <= {name}[i + 1]"
    params = [param.name for param in kernel.params if param.type.is_int]
    yield from (f"0 <= {name}[i] && {name}[i] < {param}" for name in arrays[:MAX_ARRAYS] for param in params[:MAX_ARRAYS])


def on_extents(kernel: Kernel, report: Report) -> Iterator[str]:
    """Parameters that are no larger than an array of the kernel's own is long, where one is left."""
    left = {finding.array for finding in report.findings if finding.rule == "out-of-bounds"}
    lengths = {prod(dim or 0 for dim in array.dims) for array in kernel.arrays if array.name in left and None not in array.dims}
    params = [param.name for param in kernel.params if param.type.is_int]
    yield from (f"{param} <= {length}" for param in params for length in sorted(lengths) if length)


def _below(root: Expr) -> Iterator[Expr]:
    todo = [root]
    while todo:
        expr = todo.pop()
        todo += children(expr)
        yield expr


def candidates(kernel: Kernel, context: Context) -> Iterator[str]:
    """Requirements of the usual kinds, the weaker ones first."""
    free = {T.symbol_of(term).own: term for term in context.symbols()}
    params = [param.name for param in kernel.params if param.type.is_int and param.name in free]
    dims, grids = ([name for name in (f"{size.value}.{axis}" for axis in AXES) if name in free]
                   for size in (Quantity.BLOCK_DIM, Quantity.GRID_DIM))
    widths = {f"{size.value}.x" for size in (Quantity.BLOCK_DIM, Quantity.GRID_DIM)}
    numbers = _constants(kernel)
    if {"blockDim.x", "blockDim.y"} <= set(dims):
        yield from dict.fromkeys(f"blockDim.x == {wide} && blockDim.y == {high}" for high, wide in _tiles(kernel))
    yield from (f"{name} > 0" for name in params)
    yield from (f"{name} == 1" for name in (*dims, *grids) if name not in widths)
    for name in dims[:1]:
        yield from (f"{name} >= {number}" for number in sorted(numbers))
        yield f"{name} % 32 == 0"
        yield f"({name} & ({name} - 1)) == 0"
        yield from (f"{name} <= {number}" for number in sorted(numbers, reverse=True))
    for param in params:
        for axis in AXES:
            block, grid = f"blockDim.{axis}", f"gridDim.{axis}"
            if {block, grid} & free.keys():
                yield from (f"{param} {op} {grid} * {block}" for op in (">=", "<=", "=="))
        yield from (f"{param} >= {other}" for other in (*dims, *params) if other != param)
        yield from (f"{param} % {number} == 0" for number in numbers)
        yield from (f"{param} {op} {grid} * {number}" for grid in grids for number in numbers for op in (">=", "=="))
        yield from (f"{param} == {name}" for name in dims)
    yield from (f"{name} == {number}" for name in dims for number in numbers)
    yield from (f"{name} == 1" for name in grids if name in widths)


def _tiles(kernel: Kernel) -> Iterator[tuple[int, int]]:
    """Rows and columns of shared arrays, without the column that pads them."""
    for array in kernel.arrays:
        if array.space is Space.SHARED and len(array.dims) > 1:
            *_, high, wide = array.dims
            if high is not None and wide is not None:
                yield high, high if wide == high + 1 else wide


def _constants(kernel: Kernel) -> list[int]:
    """The numbers of a kernel that may be the size of something, the most frequent first."""
    counts: dict[int, int] = {}
    for expr in (expr for stmt in walk(kernel.body) for root in expressions(stmt) for expr in _below(root)):
        if isinstance(expr, Const) and expr.type.is_int and 1 < int(expr.value) <= 1024:
            counts[int(expr.value)] = counts.get(int(expr.value), 0) + 1
    for array in kernel.arrays:
        for extent in array.dims:
            if extent is not None and 1 < extent <= 1024:
                counts[extent] = counts.get(extent, 0) + 1
    return sorted(counts, key=lambda number: (-counts[number], number))[:MAX_CONSTANTS]
