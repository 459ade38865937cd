"""The pairs of `tests/all_sizes` at random launches, on a GPU: the data of their C++ check, launched in its place.

Made here: a module for each side. Run there: sizes and contents are drawn as `tests/all_sizes` draws them, both sides get them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from gpu.device import Device, Step
from gpu.modules import Texts

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "all_sizes"))
import emulated  # noqa: E402
import pairs  # noqa: E402

EXACT = ("bitwise", "bitwise-commutative", "int")
Job = dict[str, Any]


def jobs(texts: Texts, launches: int, seed: int) -> list[Job]:
    """A job for each pair whose outputs must agree to the bit."""
    found = []
    for pair in pairs.all_pairs():
        if pair.equality in EXACT:
            sides = {side: texts.add(pair.text(side), f"all_sizes-{pair.name}-{side}") for side in "ab"}
            found.append({"what": "drawn", "name": pair.name, "modules": sides, "launches": launches, "seed": seed})
    return found


def run(device: Device, job: Job) -> dict[str, Any]:
    """Whether both sides leave the same bits, at each launch."""
    pair, count = pairs.load(job["name"]), 0
    for number, sizes in enumerate(_sizes(pair, job)):
        data = emulated.made_up(pair, sizes, job["seed"] + number, False)
        left = [_after(device, pair, side, job["modules"][side], sizes, data) for side in "ab"]
        count += 1
        if pair.relate:
            bad = [text for text in pair.relate if not emulated.holds(text, sizes, *left, True)]
        else:
            bad = [name for name in emulated.outputs(pair) if not same(left[0][name], left[1][name])]
        if bad:
            return {"result": "differs", "at": sizes, "in": bad, "told": told(left[0], left[1], bad)}
    return {"result": "same", "runs": count}


def _sizes(pair: pairs.Pair, job: Job) -> Iterator[dict[str, int]]:
    """As many launches as are asked for, or as are drawn before none is found that meets the requirements."""
    with suppress(AssertionError):
        yield from islice(pairs.launches(pair, job["seed"]), job["launches"])


def same(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """The same bits, but for no numbers, of which there are many."""
    if one.dtype.kind == "f":
        bits = f"u{one.itemsize}"
        return bool(np.all((one.view(bits) == other.view(bits)) | (np.isnan(one) & np.isnan(other))))
    return bool(np.array_equal(one, other))


def told(one: emulated.Arrays, other: emulated.Arrays, names: list[str]) -> str:
    found = []
    for name in names:
        if name in one and name in other:
            at = np.flatnonzero(one[name] != other[name])[:3]
            places = ", ".join(str(int(place) - emulated.PAD) for place in at)
            found.append(f"{name}[{places}]: {one[name][at]} {other[name][at]}")
    return "; ".join(found)


def _after(device: Device, pair: pairs.Pair, side: str, module: str, sizes: dict[str, int], data: emulated.Arrays
           ) -> emulated.Arrays:
    steps, arrays = [], {}
    for kernel in pair.kernels(side):
        shape = [[pairs.valued(part, sizes) for part in (*given, "1", "1")[:3]] for given in (kernel.grid, kernel.block)]
        args = []
        for param in kernel.params:
            if param.is_array:
                arrays[param.name] = data[param.name]
                args.append(["array", param.name])
            else:
                one = np.array([sizes[param.name]], emulated.KINDS[param.kind]) if param.name in sizes else data[param.name][:1]
                args.append(["bytes", one.tobytes().hex()])
        steps.append(Step(module, kernel.name, shape[0], shape[1], args))
    after = device.run(steps, {name: inner(array) for name, array in arrays.items()})
    return {name: np.concatenate([array[:emulated.PAD], after[name].view(array.dtype), array[-emulated.PAD:]]) if name in after
            else array for name, array in data.items()}


def inner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return array[emulated.PAD:-emulated.PAD].view(np.uint8)
