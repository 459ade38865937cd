"""Launches that the machine runs, written down with what it finds, so that a GPU can do the same and be compared.

One idea: `spmd run` makes up what nobody states, the same each time, and says which elements of an array there are. So one run
gives the launch, the contents before and the contents behind it. Only what a launch hands over as it is can be written down:
numbers and pointers to numbers. `NotMade` says why another kernel is left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from gpu.modules import ROOT, Texts

from automata.lang.core import Array, Kernel, Space
from automata.lang.exactness import manner, stands_in
from automata.lang.traverse import calls
from automata.limits import RUN_BYTES, using
from automata.machine.numbers.rounding import DTYPES
from automata.machine.state.memory import Dense
from automata.place import InputError, UnsupportedError
from automata.scalar import BF16, Scalar
from spmd.api import question
from spmd.asked import Question
from spmd.execute import Ran, RunQuestion, run_launch

MOST_BYTES = 4 << 20
"""Of all arrays of a launch."""
MOST_STEPS = 20_000
SHARED = 32 << 10
"""Dynamic shared memory, where a kernel has some and nobody says how much: more than any of the tests' kernels use."""
Job = dict[str, Any]
Cells = np.ndarray[Any, Any]


class NotMade(Exception):
    """Why a launch cannot be written down."""


@dataclass
class Made:
    """A launch: its step, the contents before it, and those behind it where the machine computes what a device must."""

    step: dict[str, Any]
    before: dict[str, Cells]
    behind: dict[str, Cells]
    ran: Ran


def made(asked: Question, texts: Texts, seed: int, like: Ran | None = None, *, races: bool = False) -> Made:
    """Run a kernel on the machine and write its launch down; `like` a run whose numbers are the arguments of the same name;
    `races`: what the run finds is what it is for."""
    if like is not None and asked.launch is not None:
        asked = replace(asked, launch=replace(asked.launch, args={**like.setting.scalars, **asked.launch.args}))
    try:
        with using({RUN_BYTES.name: MOST_BYTES}):
            ran = run_launch(RunQuestion(asked, seed=seed, max_steps=MOST_STEPS))
    except (InputError, UnsupportedError) as error:
        raise NotMade(f"no run: {str(error)[:120]}") from None
    if ran.findings and not races:
        raise NotMade(f"what is made up is not as the launch requires: {ran.findings[0].rule}")
    kernel, path = ran.kernel, Path(asked.source.file)
    before = {array.name: _before(ran, array, seed) for array in kernel.arrays if array.space is Space.GLOBAL}
    if sum(cells.nbytes for cells in before.values()) > MOST_BYTES:
        raise NotMade("arrays are large")
    text = path.read_text()
    key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:6]
    step = {"module": texts.add(text, f"{path.parent.name}-{path.stem}-{key}", _beside(path)), "kernel": kernel.name,
            "grid": ran.setting.grid, "block": ran.setting.block, "args": [_passed(ran, name) for name in kernel.order],
            "shared": SHARED if _dynamic(kernel) else 0, "meets": "this_grid()" in text or "grid_group" in text}
    behind = {} if _in_own_ways(kernel) else {
        name: as_laid(kernel.array(name), _behind(ran, kernel.array(name), before[name].size)) for name in ran.outputs}
    return Made(step, {name: as_laid(kernel.array(name), cells) for name, cells in before.items()}, behind, ran)


def _in_own_ways(kernel: Kernel) -> bool:
    """Whether a device may compute something otherwise than the machine does."""
    return stands_in(kernel) or any(not call.source and manner(call, kernel.dialect) for call in calls(kernel))


def _beside(path: Path) -> Path | None:
    """The folder of a file, if it is the repository's."""
    folder = path.resolve().parent
    return folder if folder.is_relative_to(ROOT) else None


def _dynamic(kernel: Kernel) -> bool:
    return any(array.space is Space.SHARED and None in array.dims for array in kernel.arrays)


def _passed(ran: Ran, name: str) -> list[str]:
    kernel = ran.kernel
    scalar = next((param for param in kernel.params if param.name == name), None)
    if scalar is not None and re.fullmatch(r"\w+", name):
        return ["bytes", laid(np.array([ran.setting.scalars[name]], DTYPES[scalar.type]), scalar.type).tobytes().hex()]
    array = next((each for each in kernel.arrays if each.name == name and each.space is Space.GLOBAL), None)
    if array is None or array.of or array.lies or not re.fullmatch(r"\w+", name):
        raise NotMade("a parameter is more than a number or a pointer to numbers")
    return ["array", name]


def _before(ran: Ran, array: Array, seed: int) -> Cells:
    """Contents at the start of as many elements as the run had touched, in whole pages."""
    buffer = ran.outcome.buffers[array.name]
    if array.name not in ran.kernel.order:
        raise NotMade("a variable of the file")
    if isinstance(buffer, Dense):
        count = buffer.size
    else:
        touched = buffer.touched()
        count = int(touched.max(initial=-1)) + 1
        if touched.min(initial=0) < 0 or count * buffer.cells.itemsize > MOST_BYTES:
            raise NotMade("indices are negative or large")
    return _contents(ran, seed)(array, np.arange(count, dtype=np.int64))


def _contents(ran: Ran, seed: int) -> Callable[[Array, Any], Cells]:
    assert ran.setting.initial is not None
    return ran.setting.initial


def _behind(ran: Ran, array: Array, count: int) -> Cells:
    buffer = ran.outcome.buffers[array.name]
    if isinstance(buffer, Dense):
        return buffer.cells[:count].copy()
    cells = _contents(ran, 0)(array, np.arange(count, dtype=np.int64))
    touched = buffer.touched()
    cells[touched] = buffer.cells[buffer.slots(touched, None)[0]]
    return cells


def narrow_of(ran: Ran) -> list[str]:
    """The arrays of bfloat16."""
    return [array.name for array in ran.kernel.arrays if array.element == BF16]


def laid(cells: Cells, kind: Scalar) -> Cells:
    """Cells as memory has them."""
    return (cells.view(np.uint32) >> np.uint32(16)).astype(np.uint16) if kind == BF16 else cells


def as_laid(array: Array, cells: Cells) -> Cells:
    return laid(np.ascontiguousarray(cells), array.element)


class Kept:
    """Jobs with their arrays, each array stored once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.jobs, self.arrays = folder, list[Job](), dict[str, Cells]()

    def keep(self, cells: Cells) -> str:
        key = hashlib.sha256(cells.tobytes() + cells.dtype.str.encode()).hexdigest()[:16]
        self.arrays[key] = cells
        return key

    def add(self, what: str, name: str, sides: list[list[dict[str, Any]]], before: Mapping[str, Cells],
            behind: Mapping[str, Cells], outputs: list[str], times: int = 1, bf16: Iterable[str] = ()) -> None:
        """`outputs` are compared between sides and with `behind`, as far as it has them; `bf16`: arrays of bfloat16, whose bits
        stand in integers."""
        self.jobs.append({"what": what, "name": name, "sides": sides, "times": times, "outputs": outputs, "bf16": list(bf16),
                          "before": {key: self.keep(cells) for key, cells in before.items()},
                          "behind": {key: self.keep(cells) for key, cells in behind.items()}})

    def write(self) -> None:
        np.savez_compressed(self.folder / "arrays.npz", **self.arrays)


def alone(path: Path, texts: Texts, kept: Kept, times: int, what: str = "again", **launch: Any) -> None:
    """A job for one kernel, run a number of times."""
    one = made(question(str(path), **launch), texts, 1, races=what == "race")
    kept.add(what, path.stem, [[one.step]], one.before, one.behind, list(one.ran.outputs), times, narrow_of(one.ran))


def pair(name: str, a: list[Question], b: list[Question], names: Mapping[str, str], texts: Texts, kept: Kept, seed: int,
         outputs: list[str] | None = None) -> None:
    """A job for two sides, each one kernel or several one after the other; `names`: parameters of a as b calls them."""
    if names:
        raise NotMade("parameters have two names")
    first = [made(each, texts, seed) for each in a]
    other = [made(each, texts, seed, first[0].ran) for each in b]
    before: dict[str, Cells] = {}
    for one in (*first, *other):
        for array, cells in one.before.items():
            if cells.dtype != before.get(array, cells).dtype:
                raise NotMade("an array is of two types")
            if array not in before or cells.size > before[array].size:
                before[array] = cells
    written = {array for one in (*first, *other) for array in one.ran.outputs}
    both = set.intersection(*({array for one in side for array in one.before} for side in (first, other)))
    behind = {}
    if len(a) == 1:
        behind = {array: np.concatenate([cells, before[array][cells.size:]]) for array, cells in first[0].behind.items()}
    kept.add("pair", name, [[one.step for one in side] for side in (first, other)], before, behind,
             outputs or sorted(written & both), bf16={array for one in (*first, *other) for array in narrow_of(one.ran)})
