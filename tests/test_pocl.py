"""The machine against PoCL: every OpenCL kernel of the tests gives the same bits on both. Those of the case studies are launched
by an application, with options of its own (`test_nbody_app.py`), or are wrong on purpose.

What the machine calls a race, a divergence, an access out of bounds or undefined has no result to compare and
is not run on PoCL. Only kernels that are wrong on purpose (`_x` in the file's name) may be such a case, so each
comparison that is counted at the end has happened if the tests above it pass.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pocl
import pytest
from conftest import ROOT

from automata.lang import core
from automata.lang.core import Kernel, Space
from automata.lang.fold import fold_constants
from automata.lang.launch import Launch, find_comment, read_requirement, read_size
from automata.lang.read import Found, find_kernels
from automata.lang.traverse import expressions, walk
from automata.machine.running.run import Outcome, Program, Setting
from automata.place import InputError, UndecidedError
from automata.rewriting.lower import lower
from automata.scalar import Scalar
from automata.thread.build import build

FOLDERS = ("tests/opencl", "tests/kernels", "tests/pairs")
WRONG_INPUT = ("invalid_", "refused_", "uncovered_")
ELEMENTS = 4096
LOCAL_ELEMENTS = 256
LAUNCHES = 3
UNSTATED = (((2, 3, 1), (8, 4, 1)), ((3, 1, 1), (16, 1, 1)), ((1, 1, 1), (5, 3, 1)))

# Functions that IEEE 754 or OpenCL C defines to the bit. Results of kernels with any other may be four ulps apart, which
# OpenCL C 7.4 allows of most of them; what has been seen is two (tan, sinh, cosh) and one (all others).
EXACT = frozenset({"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round", "fmin", "fmax", "fma", "fmod", "remainder",
                   "copysign", "ldexp", "nextafter", "logb", "maxmag", "fdim", "step", "sign"})
ULPS = 4

# What is known to differ, and why. A row goes when its test passes: it fails then.
KNOWN: dict[str, str] = {}


def every_kernel() -> Iterator[Any]:
    """Each kernel of each OpenCL file, unread."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("**/*.cl")):
            try:
                found = find_kernels(str(path))
            except InputError:
                continue
            for item in found:
                name = f"{path.relative_to(ROOT / folder).with_suffix('')}:{item.name}"
                marks = [pytest.mark.xfail(reason=KNOWN[name], strict=True)] if name in KNOWN else []
                yield pytest.param(item, id=name, marks=marks)


KERNELS = list(every_kernel())


@pytest.fixture(autouse=True)
def _pocl_is_here() -> None:
    if pocl.missing():
        warnings.warn(f"NOT COMPARED WITH POCL: {pocl.missing()}", stacklevel=1)
        pytest.skip(f"not compared with PoCL: {pocl.missing()}")


# -- launches -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """A launch without its arguments' contents; `given`: the parameters that its sizes speak of."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    given: dict[str, int]


def launches(found: Found, kernel: Kernel) -> list[Sizes]:
    """A multiple of the block, a launch with a tail, and one with less than a block, as the comment has it."""
    stated = find_comment(found.original, found.path, found.place.line)
    if stated is None:
        return [Sizes(grid, block, {}) for grid, block in UNSTATED]
    if stated.block is None:
        return required(stated, kernel)
    return [sized(stated, kernel, number) for number in range(LAUNCHES)]


def required(stated: Launch, kernel: Kernel) -> list[Sizes]:
    """The first small launches that meet what a comment requires of sizes, where it states none."""
    found = (Sizes((gx, gy, 1), (bx, by, 1), {}) for gx, gy, bx, by in product((1, 2, 3), (1, 2), (1, 4, 12), (1, 2, 4)))
    return list(islice((sizes for sizes in found if allowed(stated, kernel, named(sizes))), LAUNCHES))


def named(sizes: Sizes) -> dict[str, int]:
    """The sizes of a launch under the names that requirements have for them."""
    return {f"{what}.{axis}": size for what, values in (("gridDim", sizes.grid), ("blockDim", sizes.block))
            for axis, size in zip("xyz", values, strict=True)}


def sized(stated: Launch, kernel: Kernel, number: int) -> Sizes:
    """The numbered launch: arguments as stated, the sizes that the grid or a requirement speaks of as they allow."""
    fixed = {name: value for name, value in stated.args.items() if isinstance(value, int)}
    block = evaluated(stated.block, kernel, fixed)
    if stated.grid is None:
        stated = replace(stated, grid=(2, 1, 1))
    said = core_names(" ".join([str(stated.grid), *stated.requires])) - set(fixed)
    names = [param.name for param in kernel.params if param.type.is_int and param.name in said]
    free: dict[str, int] = {}
    for name, width in zip(names, (block[0], *block[1:], *block), strict=False):
        width = block[0] if len(names) == 1 else width
        free[name] = (2 * width, 5 * width + 3 - len(free), max(1, width // 2 - 1))[number]
    while not allowed(stated, kernel, fixed | free) and any(value > 1 for value in free.values()):
        free = {name: max(1, value // 2) for name, value in free.items()}
    given = fixed | free
    assert allowed(stated, kernel, given), (stated.requires, given)
    return Sizes(evaluated(stated.grid, kernel, given), block, given)


def allowed(stated: Launch, kernel: Kernel, given: dict[str, int]) -> bool:
    return all(truth(text, kernel, given) for text in stated.requires)


def core_names(text: str) -> set[str]:
    return {word for word in "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
            if not word[0].isdigit()}


def evaluated(sizes: Any, kernel: Kernel, given: dict[str, int]) -> tuple[int, int, int]:
    values = [fold_constants(read_size(size, kernel, "size"), given) for size in sizes]
    assert all(isinstance(value, core.Const) for value in values), values
    x, y, z = (int(value.value) for value in values)
    return x, y, z


def truth(requirement: str, kernel: Kernel, given: dict[str, int]) -> bool:
    value = fold_constants(read_requirement(requirement, kernel), given)
    assert isinstance(value, core.Const), requirement
    return bool(value.value)


# -- contents -----------------------------------------------------------------------------------


def contents(kind: Scalar, count: int, random: np.random.Generator) -> np.ndarray:
    """Values of a type: of all magnitudes, with the special ones among them."""
    dtype = pocl.DTYPES[kind]
    if kind.is_int:
        any_bits = random.integers(kind.low, kind.high, count, dtype, endpoint=True)
        small = random.integers(max(kind.low, -20), min(kind.high, 20), count, dtype, endpoint=True)
        edges = random.choice(np.array([kind.low, kind.low + 1, 0, 1, kind.high - 1, kind.high], dtype), count)
        return np.choose(random.choice(3, count, p=(0.6, 0.3, 0.1)), [any_bits, small, edges]).astype(dtype)
    plain = random.normal(size=count) * 10.0 ** random.uniform(-3, 4, count)
    quarters = random.integers(-40, 40, count) / 4
    limits = np.finfo(dtype)
    special = random.choice([0.0, -0.0, np.inf, -np.inf, np.nan, limits.max, -limits.tiny, limits.smallest_subnormal * 77], count)
    return np.choose(random.choice(3, count, p=(0.67, 0.3, 0.03)), [plain, quarters, special]).astype(dtype)


def setting(kernel: Kernel, sizes: Sizes, seed: int) -> Setting:
    """The launch with arguments. Scalars that sizes say nothing about are any of their type, floats finite."""
    random = np.random.default_rng(seed)
    scalars: dict[str, int | float] = {}
    for param in kernel.params:
        value = contents(param.type, 1, random)[0]
        scalars[param.name] = sizes.given.get(param.name, value.item() if np.isfinite(value) else 1.5)
    arrays, extents = {}, {}
    for array in kernel.arrays:
        if array.name not in kernel.order:
            continue
        if array.space is Space.SHARED:
            extents[array.name] = LOCAL_ELEMENTS
        else:
            inner = [extent or 1 for extent in array.dims]
            arrays[array.name] = contents(array.element, ELEMENTS * int(np.prod(inner)), random)
    return Setting(grid=sizes.grid, block=sizes.block, scalars=scalars, arrays=arrays, extents=extents)


# -- comparisons --------------------------------------------------------------------------------


def tolerance(kernel: Kernel) -> int:
    """How many ulps floats may be apart."""
    called = {expr.function for stmt in walk(kernel.body) for expr in expressions(stmt) if isinstance(expr, core.Call)
              and expr.type.is_float}
    return 0 if called <= EXACT else ULPS


def apart(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """For each element how many values of its type the two are apart; all NaNs are one value, integers are equal or not."""
    if ours.dtype.kind != "f":
        return np.where(ours == theirs, 0.0, np.inf)
    whole = np.dtype(f"i{ours.dtype.itemsize}")
    low = np.iinfo(whole).min
    steps = [np.where(bits < 0, low - bits, bits) for bits in (ours.view(whole), theirs.view(whole))]
    distance = np.abs(steps[0].astype(np.float64) - steps[1].astype(np.float64))
    distance += (distance == 0) & (ours.view(whole) != theirs.view(whole))
    return np.where(np.isnan(ours) & np.isnan(theirs), 0.0, distance)


def difference(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], ulps: int) -> str:
    """The first cell that differs, in words; empty when none does."""
    for name, array in theirs.items():
        wrong = np.flatnonzero(~(apart(ours[name], array) <= ulps))
        if wrong.size:
            at = int(wrong[0])
            return f"{name}[{at}] is {ours[name][at]!r} here and {array[at]!r} on PoCL ({wrong.size} cells differ)"
    return ""


def nothing_to_compare(outcome: Outcome) -> str:
    """Why a launch has no result; empty when it has one."""
    for what in ("conflicts", "divergences", "out_of_bounds", "undefined", "uninitialised"):
        if getattr(outcome, what):
            return f"{what}: {getattr(outcome, what)[0]}"
    return ""


def may_be_wrong(found: Found) -> bool:
    return Path(found.path).stem.endswith("_x") or Path(found.path).stem.startswith(WRONG_INPUT)


@pytest.mark.sliced(8)
@pytest.mark.parametrize("found", KERNELS)
def test_both_give_the_same(found: Found) -> None:
    try:
        kernel = found.read()
    except InputError as error:
        assert may_be_wrong(found), error
        pytest.skip(f"not compared: not read: {error}")
    try:
        program = Program(build(lower(kernel, {})))
    except UndecidedError as error:
        pytest.skip(f"not compared: not run: {error}")
    reasons = []
    for number, sizes in enumerate(launches(found, kernel)):
        given = setting(kernel, sizes, number)
        outcome = program.run(given)
        why = nothing_to_compare(outcome)
        if why:
            reasons.append(f"{sizes}: {why}")
            continue
        theirs = pocl.run(found, kernel, given.grid, given.block, given.scalars, given.arrays, given.extents)
        unlike = difference(outcome.arrays, theirs, tolerance(kernel))
        assert not unlike, f"{sizes}: {unlike}"
    assert may_be_wrong(found) or not reasons, reasons
    for reason in reasons:
        warnings.warn(f"{found.path}: {found.name}: not compared: {reason}", stacklevel=1)
    if len(reasons) == LAUNCHES:
        pytest.skip(f"not compared at any launch: {reasons[0]}")


def test_a_difference_of_one_bit_is_seen() -> None:
    plain = {"a": np.array([1.0, np.nan, 0.0], np.float32)}
    assert not difference(plain, {"a": plain["a"].copy()}, 0)
    for other in ([np.nextafter(np.float32(1), np.float32(2)), np.nan, 0], [1, np.nan, -0.0], [1, 1, 0], [np.nan, np.nan, 0]):
        assert difference(plain, {"a": np.array(other, np.float32)}, 0)
    assert difference({"i": np.array([3])}, {"i": np.array([4])}, ULPS)
    assert not difference(plain, {"a": np.array([1 + 4e-7, np.nan, 0], np.float32)}, ULPS)


def test_enough_is_compared() -> None:
    """Kernels that may not be left out, each at three launches."""
    compared = [case.values[0] for case in KERNELS if case.id not in KNOWN and not may_be_wrong(case.values[0])]
    assert LAUNCHES * len(compared) >= 330
    assert {Path(found.path).parent.name for found in compared} >= {"opencl", "kernels"}
