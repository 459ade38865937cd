"""Run the kernels of this folder with a C++ compiler: a check of the pairs that shares nothing with what they are to measure.

All texts of one pair (both sides and every slip) become one library, each in a namespace of its own; `emulated.h` gives CUDA's
words a meaning. Over the reals `float` is read as `double`, so that what rounding does stays far below what a slip does.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pairs import HERE, Kernel, Pair, kernels_of, valued

COMPILER = shutil.which("g++") or shutil.which("clang++")
PAD = 4096
"""Elements before and behind each array."""
KINDS = {"float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32, "unsigned int": np.uint32,
         "char": np.int8, "signed char": np.int8, "unsigned char": np.uint8, "float4": np.float32, "float2": np.float32,
         "int4": np.int32}
LANES = {"float4": 4, "float2": 2, "int4": 4}
Arrays = dict[str, np.ndarray[Any, Any]]


def in_double(text: str) -> str:
    """The text with double for float."""
    text = re.sub(r"\b((?:make_)?)float([234]?)\b", r"\1double\2", text)
    return re.sub(r"(?<![\w.])((?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)f\b", r"\1", text)


@dataclass
class Library:
    """The compiled texts of a pair; `is_wide`: with double for float."""

    code: ctypes.CDLL
    is_wide: bool


def build(pair: Pair, texts: dict[str, str], is_wide: bool) -> Library:
    """One library of all texts, by names."""
    parts = ['#include "emulated.h"']
    for name, text in texts.items():
        kernels = kernels_of(text)
        parts.append(f"namespace {name} {{\n{in_double(text) if is_wide else text}\n}}")
        for kernel in kernels.values():
            parts.append(_entry(name, kernel, is_wide))
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "all.cpp"), Path(folder, "all.so")
        source.write_text("\n".join(parts))
        command = [str(COMPILER), "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fpermissive",
                   "-fPIC", "-shared", "-I", str(HERE), str(source), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{pair.name}: {done.stderr[:3000]}"
        return Library(ctypes.CDLL(str(made)), is_wide)


def _entry(space: str, kernel: Kernel, is_wide: bool) -> str:
    passed = []
    for at, param in enumerate(kernel.params):
        kind = in_double(param.kind) if is_wide else param.kind
        kind = f"{kind} *" if param.is_array else kind
        passed.append(f"({kind})p[{at}]" if param.is_array else f"*({kind} *)p[{at}]")
    name = f"{space}_{kernel.name}"
    return (f"static void body_{name}(void **p) {{ {space}::{kernel.name}({', '.join(passed)}); }}\n"
            f'extern "C" int go_{name}(void **p, const unsigned *sizes, unsigned seed) '
            f"{{ return launch(body_{name}, p, sizes, seed); }}")


def made_up(pair: Pair, sizes: dict[str, int], seed: int, is_wide: bool) -> Arrays:
    """Contents of every array and the scalar arguments that are no sizes, padding included."""
    rng = np.random.default_rng(seed)
    found: Arrays = {}
    for side in "ab":
        for kernel in pair.kernels(side):
            for param in kernel.params:
                if param.name in found or param.name in sizes:
                    continue
                kind = KINDS[param.kind]
                if is_wide and kind is np.float32:
                    kind = np.float64
                having = [each for one in "ab" for each in pair.kernels(one)
                          if param.is_array and param.name in [other.name for other in each.params]]
                extents = [valued({**pair.extents, **each.extents}[param.name], sizes) for each in having]
                count = max(extents, default=1)
                whole = count * LANES.get(param.kind, 1) + 2 * PAD * param.is_array
                told = pair.values.get(param.name, ())
                ends = [valued(end, sizes) if isinstance(end, str) else end for end in told if end != "sorted"]
                found[param.name] = _contents(rng, kind, whole, ends)
                if "sorted" in told:
                    found[param.name][PAD:-PAD].sort()
    return found


def _contents(rng: np.random.Generator, kind: Any, count: int, ends: list[Any]) -> np.ndarray[Any, Any]:
    if issubclass(kind, np.floating):
        low, high = ends or (-2.0, 2.0)
        if rng.random() < 0.3:
            return (low + (high - low) * rng.integers(1, 8, count) / 8).astype(kind)
        return rng.uniform(low, high, count).astype(kind)
    limits = np.iinfo(kind)
    low, high = ends or (limits.min, limits.max + 1)
    if not ends and rng.random() < 0.5:
        low, high = max(low, -9), 10
    return rng.integers(low, max(high, low + 1), count).astype(kind)


def run(library: Library, space: str, kernels: list[Kernel], sizes: dict[str, int], data: Arrays, seed: int) -> Arrays | None:
    """All arrays behind a run of these kernels, one after the other; None where threads wait for ever."""
    after = {name: array.copy() for name, array in data.items()}
    for kernel in kernels:
        shape = [valued(part, sizes) for part in (*kernel.grid, "1", "1")[:3]]
        shape += [valued(part, sizes) for part in (*kernel.block, "1", "1")[:3]]
        if 0 in shape:
            continue
        pointers = (ctypes.c_void_p * len(kernel.params))()
        kept = []
        for at, param in enumerate(kernel.params):
            if param.is_array:
                array = after[param.name]
                pointers[at] = array.ctypes.data + PAD * array.itemsize
            else:
                kind = np.float64 if library.is_wide and param.kind == "float" else KINDS[param.kind]
                kept.append(np.array([sizes[param.name]], kind) if param.name in sizes else after[param.name])
                pointers[at] = kept[-1].ctypes.data
        entry = getattr(library.code, f"go_{space}_{kernel.name}")
        if entry(pointers, (ctypes.c_uint * 6)(*shape), seed):
            return None
    return after


def outputs(pair: Pair) -> list[str]:
    """Arrays that both sides have and one of them writes; of related ones, all that a side writes."""
    named = [{param.name for kernel in pair.kernels(side) for param in kernel.params if param.is_array} for side in "ab"]
    written = {param.name for side in "ab" for kernel in pair.kernels(side) for param in kernel.params
               if param.is_array and not param.is_const}
    return sorted(written if pair.relate else named[0] & named[1] & written)


def unlike(pair: Pair, sizes: dict[str, int], one: Arrays, other: Arrays, is_exact: bool) -> bool:
    """Whether what a and b leave is not as it should be: the same, or related."""
    return any(not holds(text, sizes, one, other, is_exact) for text in pair.relate) if pair.relate else (
        differ(pair, one, other, is_exact))


class Arrays_of:
    """The arrays of a side, by name, as relations call them."""

    def __init__(self, held: Arrays) -> None:
        for name, array in held.items():
            setattr(self, name, array[PAD:-PAD])


def holds(text: str, sizes: dict[str, int], one: Arrays, other: Arrays, is_exact: bool) -> bool:
    """Whether a relation holds at each of its points. Indices are not negative, so that `//` is C's `/`."""
    said, _, over = re.sub(r"\[[^\]]*\]", lambda found: found.group().replace("/", "//"), text).partition(" for ")
    left, _, right = said.partition("==")
    ends = {name: valued(end, sizes) for name, _, end in (part.strip().partition(" < ") for part in over.split(","))}
    points = [part.ravel() for part in np.indices(tuple(ends.values()))]
    known = {**sizes, **dict(zip(ends, points, strict=True)), "a": Arrays_of(one), "b": Arrays_of(other)}
    with np.errstate(all="ignore"):
        mine, yours = (np.broadcast_to(eval(part.strip(), {"__builtins__": {}}, known), points[0].shape)
                       for part in (left, right))
        if is_exact or mine.dtype.kind != "f":
            return bool(np.array_equal(mine, yours, equal_nan=mine.dtype.kind == "f"))
        near = np.isfinite(mine) & np.isfinite(yours) & (np.abs(mine - yours) <= 1e-9 * (1 + np.abs(mine)))
        return bool(np.all(near | (mine == yours) | (np.isnan(mine) & np.isnan(yours))))


def differ(pair: Pair, one: Arrays, other: Arrays, is_exact: bool) -> bool:
    """Whether outputs differ: in a bit, or by more than rounding in double does."""
    for name in outputs(pair):
        a, b = one[name][PAD:-PAD], other[name][PAD:-PAD]
        if is_exact or not issubclass(a.dtype.type, np.floating):
            same = bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
        else:
            with np.errstate(all="ignore"):
                near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= 1e-9 * (1 + np.abs(a)))
                same = bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))
        if not same:
            return True
    return False


def strays(after: Arrays, data: Arrays) -> list[str]:
    """Arrays written outside of their extents."""
    return [name for name, array in data.items() if array.size > 2 * PAD
            and not (np.array_equal(array[:PAD], after[name][:PAD]) and np.array_equal(array[-PAD:], after[name][-PAD:]))]
