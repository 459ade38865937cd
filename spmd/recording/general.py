"""The weakest requirement that is found under which a proof at a launch still holds.

In: a kernel and a launch of it that is proved. Out: a `General`: conditions on sizes and parameters, and how long arrays have to
be; every launch that meets them is proved, so that it need not be asked about.

The search is a ladder from weak to strong: everything is free, then the block is fixed, or the grid, or the parameters, or
several. On each rung the proof is tried as it is, then under all the usual requirements at once that hold at the launch: those
that `--suggest` knows, and bounds. Where it holds, what was fixed is freed again name by name, and requirements are left out
again, the strongest first, as long as the proof holds.

What a proof for free sizes takes for granted beyond one at numbers becomes a condition of its own: launch limits, sizes at which
an index does not wrap, axes that the kernel never reads. Where it cannot become one, there is no such requirement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import prod

from pycparser import c_ast

from automata.budget import Budget
from automata.lang.core import AXES, Kernel, Loop, Space
from automata.lang.launch import Launch, Size, Sizes, parsed
from automata.lang.traverse import walk
from automata.place import InputError, UndecidedError
from automata.proof.determinism import Side, check
from automata.proof.known.context import prepare, sizes_read
from automata.proof.known.launch_limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from automata.proof.preconditions import candidates
from automata.proof.runs.counted import counts
from automata.verdict import Outcome, Report, Verdict
from spmd.recording.implied import fewer
from spmd.recording.points import SIZES, Point, holds, meets, number_of

A_TRY, A_SEARCH = 2.0, 8.0
BOUNDS = (1 << 20, 1 << 15, 1024)
MULTIPLES = (1, 2, 3, 4, 8, 16)
LARGEST = 1 << 62


Extents = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class General:
    """`requires`: what has to hold of a launch; `limits`: likewise, but not worth a word; `extents`: elements that arrays have at
    least."""

    requires: tuple[str, ...]
    limits: tuple[str, ...]
    extents: Extents

    def covers(self, kernel: Kernel, extents: Extents, points: list[Point]) -> bool:
        """Whether a launch meets it, whatever of the points it was. Products of its numbers have to fit into 64 bits."""
        return bool(points) and set(extents) <= set(self.extents) and all(
            prod(max(1, abs(int(value))) for value in point.values()) < LARGEST and self._covers(kernel, extents, point)
            for point in points)

    def _covers(self, kernel: Kernel, extents: Extents, point: Point) -> bool:
        for name, least in self.extents.items():
            there, needed = (number_of(size, kernel, point) if size is not None else None for size in (extents.get(name), least))
            if there is None or needed is None or there < needed:
                return False
        return (all(holds(text, kernel, point) for text in (*self.requires, *self.limits))
                and all(meets(test, kernel, point) for test in kernel.requires))

    def __str__(self) -> str:
        """As a comment above the kernel has it."""
        arrays = " ".join(f"{name}[{str(size).replace(' ', '')}]" for name, size in self.extents.items())
        requires = f"require {', '.join(self.requires)}" if self.requires else ""
        return " ".join(part for part in (arrays, requires) if part) or "any sizes and arguments"


@dataclass
class _Search:
    kernel: Kernel
    launch: Launch
    report: Report
    points: list[Point]
    strict: bool
    budget: Budget
    tried: dict[tuple[object, ...], General | None] = field(default_factory=dict)

    def at(self, fixed: frozenset[str], requires: tuple[str, ...], extents: Extents) -> General | None:
        """What it takes to be covered by the proof where some names are fixed, if it holds."""
        key = (fixed, requires, tuple(extents.items()))
        if key not in self.tried:
            self.tried[key] = self._at(fixed, requires, extents)
        return self.tried[key]

    def free(self, fixed: frozenset[str], requires: tuple[str, ...], extents: Extents) -> Launch:
        """The launch in which only some names have their numbers."""
        block, grid = (self._sizes(names, fixed) for names in (SIZES[:3], SIZES[3:]))
        args = {name: value for name, value in self.launch.args.items() if name in fixed}
        return replace(self.launch, block=block, grid=grid, args=args, requires=requires, extents=dict(extents))

    def _sizes(self, names: tuple[str, ...], fixed: frozenset[str]) -> Sizes:
        found: list[Size] = [int(self.points[0][name]) if name in fixed else None for name in names]
        return found[0], found[1], found[2]

    def _at(self, fixed: frozenset[str], requires: tuple[str, ...], extents: Extents) -> General | None:
        if self.budget.is_spent:
            return None
        launch = self.free(fixed, requires, extents)
        try:
            report, analysis = check(self.kernel, launch, strict=self.strict, side=Side(budget=self.budget.within(A_TRY)))
        except (InputError, UndecidedError, RecursionError):
            return None
        assumed, before = analysis.wraps.assumed, self.report.properties
        is_whole = report.verdict is Verdict.PROVED and bool(report.writes) and all(
            report.properties.get(name) is Outcome.PROVED for name, outcome in before.items() if outcome is Outcome.PROVED)
        ends = all(counts(stmt) for stmt in walk(analysis.context.kernel.body) if isinstance(stmt, Loop))
        if not (is_whole and ends) or analysis.counters or set(assumed) - set(analysis.wraps.limits):
            return None
        pinned = [f"{name} == {self.points[0][name]}" for name in sorted(fixed) if self._matters(name)]
        flat = [f"{name} == 1" for name in sorted(fixed) if not self._matters(name)]
        limits = (*flat, *_launch_limits(fixed), *(analysis.wraps.limits[text] for text in assumed))
        found = General((*pinned, *requires), limits, extents)
        return found if found.covers(self.kernel, self.launch.extents, self.points) else None

    def admits(self, text: str) -> bool:
        """Whether a requirement holds at the launch."""
        return all(holds(text, self.kernel, point) for point in self.points)

    def _matters(self, name: str) -> bool:
        """A size of 1 along an axis beyond the first is not worth a word; it is a limit all the same."""
        return not (name in SIZES and name[-1] != "x" and self.points[0][name] == 1)


def generalise(kernel: Kernel, launch: Launch, report: Report, points: list[Point], *, strict: bool,
               budget: Budget) -> General | None:
    """The weakest requirement that is found; None where nothing can be left open."""
    search = _Search(kernel, launch, report, points, strict, budget)
    same = {name for name in points[0] if all(point[name] == points[0][name] for point in points)} if points else set()
    unread = frozenset(set(SIZES) - sizes_read(kernel))
    if not unread <= same or not points:
        return None
    block, grid = (frozenset(set(names) & same) for names in (SIZES[:3], SIZES[3:]))
    params = frozenset(param.name for param in kernel.params if param.type.is_int) & same
    floats = frozenset(launch.args) - params
    for fixed in dict.fromkeys((frozenset[str](), block, grid, params, block | grid, block | params, block | grid | params,
                                block | params | floats)):
        for extents in _extents(search):
            for requires in dict.fromkeys((launch.requires, _usual(search, unread | fixed, extents))):
                if search.at(unread | fixed, requires, extents) is not None:
                    search.budget = budget.within(A_SEARCH)
                    found = _weakened(search, unread | fixed, requires, extents, unread)
                    return found and replace(found, requires=fewer(found.requires, kernel))
    return None


def _usual(search: _Search, fixed: frozenset[str], extents: Extents) -> tuple[str, ...]:
    """Requirements of the usual kinds that hold at the launch, the strongest last."""
    kernel = search.kernel
    context = prepare(kernel, search.free(fixed, search.launch.requires, extents))
    free = [param.name for param in kernel.params if param.type.is_int and param.name not in fixed]
    widths = [name for name in SIZES[3:] if name not in fixed]
    bounds = {name: [most for most in BOUNDS if search.admits(f"{name} <= {most}")][-1:] for name in (*free, *widths)}
    texts = [*(f"{name} > 0" for name in free), *(f"{name} <= {most}" for name, found in bounds.items() for most in found),
             *(f"{name} % 32 == 0" for name in SIZES[:1] if name not in fixed), *candidates(kernel, context)]
    found = [text for text in dict.fromkeys(texts) if text not in search.launch.requires and search.admits(text)]
    return (*search.launch.requires, *sorted(found, key=_strength))


def _strength(text: str) -> int:
    """How much a requirement asks, roughly: signs, bounds, multiples and powers, relations, numbers."""
    expr = parsed(text, "requirement")
    op = expr.op if isinstance(expr, c_ast.BinaryOp) else "&&"
    if op == ">":
        return 0
    is_number = isinstance(expr, c_ast.BinaryOp) and isinstance(expr.right, c_ast.Constant)
    if op != "==":
        return 1 if is_number else 3
    is_plain = isinstance(expr, c_ast.BinaryOp) and isinstance(expr.left, c_ast.ID | c_ast.StructRef)
    return 4 if is_plain else 2


def _weakened(search: _Search, fixed: frozenset[str], requires: tuple[str, ...], extents: Extents,
              unread: frozenset[str]) -> General | None:
    """Names freed, and requirements left out, that the proof does not need."""
    requires = _without(search, fixed, requires, extents, len(requires))
    for name in sorted(fixed - unread):
        if search.at(fixed - {name}, requires, extents) is not None:
            fixed -= {name}
    for at, text in enumerate(requires):
        name, op, _ = text.partition(" <= ")
        for most in BOUNDS if op else ():
            wider = (*requires[:at], f"{name} <= {most}", *requires[at + 1:])
            if text in {f"{name} <= {least}" for least in BOUNDS} and search.at(fixed, wider, extents) is not None:
                requires = wider
                break
    return search.at(fixed, requires, extents)


def _without(search: _Search, fixed: frozenset[str], requires: tuple[str, ...], extents: Extents, end: int) -> tuple[str, ...]:
    """Without those of the first requirements that can be left out, many at once where that goes; from the strongest down."""
    todo = [(0, end)]
    kept = list(requires)
    while todo:
        low, high = todo.pop()
        part = set(requires[low:high])
        less = tuple(text for text in kept if text not in part)
        if not part & set(kept):
            continue
        if search.at(fixed, less, extents) is not None:
            kept = list(less)
        elif high - low > 1:
            middle = (low + high) // 2
            todo += [(low, middle), (middle, high)]
    return tuple(kept)


def _extents(search: _Search) -> Iterator[Extents]:
    """The extents of arrays as expressions that they reach at the launch: over parameters, over threads; multiples; numbers."""
    kernel, stated = search.kernel, search.launch.extents
    arrays = {name: size for name, size in stated.items() if isinstance(size, int)}
    if len(arrays) != len(stated):
        return
    params = [param.name for param in kernel.params if param.type.is_int and param.name in search.launch.args]
    pairs = [(a, b) for at, a in enumerate(params) for b in params[at:]]
    over_params = [*params, *(f"{a}*{b}" for a, b in sorted(pairs, key=lambda pair: pair[0] == pair[1]))]
    reads = [axis for axis in AXES if f"blockDim.{axis}" in sizes_read(kernel)]
    block, grid = ("*".join(f"{size}.{axis}" for axis in reads) for size in ("blockDim", "gridDim"))
    threads = [f"{grid}*{block}", block, grid] if reads else []
    local = {array.name for array in kernel.arrays if array.space is Space.SHARED}
    seen: list[Extents] = []
    for texts, multiples in ((over_params, (1,)), (threads, (1,)), ([*over_params, *threads], MULTIPLES), ([], ())):
        found = {name: _as_text(search, threads if name in local else texts, multiples, size) for name, size in arrays.items()}
        if found not in seen:
            seen.append(found)
            yield found


def _as_text(search: _Search, texts: list[str], multiples: tuple[int, ...], size: int) -> int | str:
    """The expression, or multiple of one, that comes closest from below at the launch; the number if none is there."""
    best: tuple[int, str] | None = None
    for whole in (text if times == 1 else f"{times}*{text}" for text in texts for times in multiples):
        values = [number_of(whole, search.kernel, point) for point in search.points]
        least = min((value for value in values if value is not None), default=0)
        if None not in values and least > 0 and max(value or 0 for value in values) <= size and (best is None or least > best[0]):
            best = least, whole
    return size if best is None else best[1]


def _launch_limits(fixed: frozenset[str]) -> Iterator[str]:
    """What is taken for granted of free sizes: the limits of devices."""
    if not fixed >= set(SIZES[:3]):
        yield f"blockDim.x * blockDim.y * blockDim.z <= {MAX_THREADS}"
    for names, most in ((SIZES[:3], MAX_BLOCK), (SIZES[3:], MAX_GRID)):
        for name, axis in zip(names, AXES, strict=True):
            if name not in fixed:
                yield f"{name} <= {most[axis]}"
