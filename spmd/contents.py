"""What an array holds before a run: as the command line says it, from a file, or made up."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from automata.lang.core import Array
from automata.machine.numbers.rounding import DTYPES
from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Reals, as_cells, scrambled
from automata.machine.state.memory import Cells
from automata.place import InputError


@dataclass(frozen=True, slots=True)
class Contents:
    """`kind`: random, iota, number or file. `low`, `high`: the range of random numbers, the number itself in `low`."""

    kind: str
    low: float | None = None
    high: float | None = None
    file: str = ""

    def at(self, array: Array, index: Numbers, seed: int) -> Cells:
        """The elements of an array at some indices."""
        match self.kind:
            case "iota":
                return as_cells(index.astype(np.float64), array.element)
            case "number":
                return as_cells(np.full(index.size, self.low), array.element)
        if self.low is not None and self.high is not None:
            values = self.low + (self.high - self.low) * (random_contents(array.name, index, seed) + 1) / 2
            return as_cells(np.floor(values) if array.element.is_int else values, array.element)
        values = random_contents(array.name, index, seed)
        return as_cells(np.floor(8 + 8 * values) if array.element.is_int else values, array.element)

    def cells(self, array: Array) -> Cells:
        """The elements of a file, of the array's type. InputError when they are not."""
        loaded = load(self.file)
        wanted = np.dtype(DTYPES[array.element])
        if loaded.dtype == wanted:
            return loaded.reshape(-1)
        made = loaded.reshape(-1).astype(wanted)
        if loaded.dtype.kind not in "biuf" or not np.array_equal(made.astype(loaded.dtype), loaded.reshape(-1), equal_nan=True):
            raise InputError(f"--array {array.name}: the elements are of type {array.element} ({wanted}), '{self.file}' holds "
                             f"{loaded.dtype} that do not fit")
        return made


def random_contents(name: str, index: Numbers, seed: int) -> Reals:
    """Numbers in [-1, 1)."""
    return (scrambled(name, index, str(seed)) >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0


def parse_contents(name: str, text: str) -> Contents:
    """`@FILE.npy`, `random`, `random:LOW:HIGH`, `iota`, `zeros`, `ones`, or a number."""
    if text.startswith("@"):
        return Contents("file", file=text[1:])
    if text in ("random", "iota"):
        return Contents(text)
    if text in ("zeros", "ones"):
        return Contents("number", float(text == "ones"))
    head, *rest = text.split(":")
    try:
        if head == "random" and len(rest) == 2:
            return Contents("random", float(rest[0]), float(rest[1]))
        if not rest:
            return Contents("number", float(int(text, 0) if text.lstrip("-").isdigit() else float(text)))
    except ValueError:
        pass
    raise InputError(f"--array {name}={text}: give @FILE.npy, random, random:LOW:HIGH, iota, zeros, ones or a number")


def load(path: str) -> Cells:
    """A .npy file. InputError when it cannot be read; nothing in it is executed."""
    try:
        with open(path, "rb") as file:
            found = np.load(file, allow_pickle=False)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from error
    except (ValueError, EOFError) as error:
        raise InputError(f"'{path}' is not a .npy file of numbers") from error
    if not isinstance(found, np.ndarray):
        raise InputError(f"'{path}' holds several arrays; give a .npy file with one")
    return found


def save(path: str, cells: Cells) -> None:
    """Write a .npy file as a whole or not at all: beside it first, then under its name."""
    part = Path(f"{path}.part")
    try:
        with open(part, "wb") as file:
            np.save(file, cells)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"cannot write '{path}': {error.strerror}") from error
