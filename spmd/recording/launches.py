"""Launch records from a recording, as `spmd check --launches` takes them.

In: a recording. Out: for each distinct launch, in order, a record, or the error that says why it cannot be asked about. A record
says what the launch was and no more: sizes, scalars, extents of buffers. What it takes for granted is in its `assumes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from automata.lang.core import AsyncCopy, Atomic, Kernel, Store
from automata.lang.read import Found, find_kernels
from automata.lang.traverse import walk
from automata.place import InputError, UnsupportedError
from spmd.recording.arguments import Declared, Passed, passed
from spmd.recording.given import find_given, the_one
from spmd.recording.padding import together
from spmd.recording.read import Recorded, Recording, Shape
from spmd.recording.sites import resolved, told
from spmd.recording.sources import Laid, Options, lay_out
from spmd.recording.symbols import symbol_of

AXES = "xyz"


@dataclass(frozen=True, slots=True)
class _Read:
    """A kernel of a recording, read. `given`: where its text stands, if the user gave it and the process did not tell."""

    laid: Laid
    item: Found
    kernel: Kernel
    declared: list[Declared]
    given: str = ""


class Reader:
    """Launch records of one recording; each kernel is read once. Launches that differ in padding alone are one from here on."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.kernels: dict[object, _Read | InputError] = {}
        recording.launches = together(recording.launches, lambda shape: self.read(shape).declared)
        self.lines = resolved((site for launch in recording.launches for site in launch.sites),
                              {launch.shape.symbol for launch in recording.launches})

    def records(self) -> list[tuple[Recorded, dict[str, Any] | InputError]]:
        """All distinct launches that were made."""
        return [(launch, self.record(launch)) for launch in self.recording.launches if launch.count]

    def record(self, launch: Recorded) -> dict[str, Any] | InputError:
        """One launch as a record."""
        try:
            read = self.read(launch.shape)
            given = passed(read.kernel, read.declared, launch.shape.args) if launch.shape.args is not None else Passed()
            _refuse_overlap(read.kernel, given)
            return {**self.head(launch), "file": read.laid.file, "kernel": read.item.name, "dialect": launch.shape.dialect,
                    "project": read.laid.folder, "defines": read.laid.options.defines, "includes": list(read.laid.includes),
                    **_sizes(launch.shape), "args": given.args, "extents": given.extents,
                    **({"aliases": [list(pair) for pair in given.one]} if given.one else {}),
                    "assumes": _assumed(launch.shape, read, given)}
        except InputError as error:
            return error

    def values(self, launch: Recorded) -> dict[str, int | float | str]:
        """The scalars that are passed, by name, as far as that is known."""
        try:
            read = self.read(launch.shape)
            return passed(read.kernel, read.declared, launch.shape.args or ()).args
        except InputError:
            return {}

    def head(self, launch: Recorded) -> dict[str, Any]:
        """What there is of any launch."""
        places = list(dict.fromkeys(told(self.lines[site]) for site in launch.sites))
        return {"id": f"{launch.number}", "count": launch.count, "sites": places}

    def given(self, shape: Shape) -> str:
        """The place of a kernel in the sources that the user gave, where its text is from there."""
        try:
            read = self.read(shape)
        except InputError:
            return ""
        return f"from {read.given}, given with --sources" if read.given else ""

    def read(self, shape: Shape) -> _Read:
        """The kernel of a launch. InputError where its program has no text or the text cannot be read."""
        key = shape.code
        if key not in self.kernels:
            try:
                self.kernels[key] = self._read(shape)
            except InputError as error:
                self.kernels[key] = error
        found = self.kernels[key]
        if isinstance(found, InputError):
            raise found
        return found

    def _read(self, shape: Shape) -> _Read:
        program, symbol = shape.program, symbol_of(shape.symbol)
        if program.kind == "module" and self.recording.sources:
            item, where, folder = find_given(self.recording, symbol)
            kernel = item.read()
            return _Read(Laid(item.path, folder, (), Options({}, (), ())), item, kernel, _declared(item, kernel), where)
        laid = lay_out(self.recording, program, shape)
        if program.language == "cuda":
            item = the_one(laid.file, symbol, laid.options.defines, laid.includes, laid.folder)
        else:
            item = find_kernels(laid.file, shape.kernel, "opencl", laid.options.defines, laid.includes, project=laid.folder,
                                in_project=True)[0]
        kernel = item.read()
        return _Read(laid, item, kernel, _declared(item, kernel))


def _declared(item: Found, kernel: Kernel) -> list[Declared]:
    """The parameters with their types, by Core's names for them."""
    params = item.program().kernel.params
    names = kernel.order if len(kernel.order) == len(params) else [variable.name for variable in params]
    return [Declared(name, variable.type) for name, variable in zip(names, params, strict=True)]


def _refuse_overlap(kernel: Kernel, given: Passed) -> None:
    """Parameters with the same memory are other things to the proofs; that matters where one of them is written."""
    written = {stmt.target if isinstance(stmt, AsyncCopy) else stmt.array for stmt in walk(kernel.body)
               if isinstance(stmt, Store | Atomic | AsyncCopy)}
    roots = {array.name: array.of or array.name for array in kernel.arrays}
    written = {roots.get(name, name) for name in written}
    for a, b in given.alike:
        if a in written or b in written:
            raise UnsupportedError(f"'{a}' and '{b}' share memory in this launch, and one of them is written")


def _sizes(shape: Shape) -> dict[str, Any]:
    """Grid and block. Where the implementation chose the block, all it may have chosen."""
    if shape.cluster is not None and any(size != 1 for size in shape.cluster):
        raise UnsupportedError(f"a launch in clusters of {'×'.join(map(str, shape.cluster))} blocks")
    if shape.total is None:
        return {"grid": list(shape.grid or ()), "block": list(shape.block or ()), "shared_bytes": shape.shared}
    offset = {"offset_in_text": list(shape.offset)} if any(shape.offset) else {}
    if not prod(shape.total):
        raise UnsupportedError("a launch of no work-items")
    if shape.block is not None:
        if not all(shape.block):
            raise UnsupportedError(f"work-groups of {shape.block} work-items")
        present = {"present_in_text": {AXES[at]: shape.total[at] for at in shape.smaller}} if shape.smaller else {}
        return {"grid": [-(-total // block) for total, block in zip(shape.total, shape.block, strict=True)],
                "block": list(shape.block), "work_dim": len(shape.total), **offset, **present}
    fixed: list[int | None] = [1 if total == 1 else None for total in shape.total]
    return {"grid": fixed, "block": fixed, "work_dim": len(shape.total), **offset,
            "requires": [f"gridDim.{axis} * blockDim.{axis} == {total}"
                         for axis, total in zip(AXES, shape.total, strict=False) if total != 1]}


def _told(sizes: tuple[int, ...] | None) -> str:
    """Sizes for people."""
    return "×".join(map(str, sizes or ()))


def _assumed(shape: Shape, read: _Read, given: Passed) -> list[str]:
    """What the verdict takes for granted of this launch."""
    found = []
    if shape.total is not None and shape.block is None and prod(shape.total) > 1:
        found.append("the work-group size that the implementation chose divides the global size")
    if shape.smaller:
        found.append(f"the last work-groups are smaller: {_told(shape.total)} work-items in groups of {_told(shape.block)}")
    if read.laid.options.arithmetic:
        found.append(f"floats are computed as the text says (built with {' '.join(read.laid.options.arithmetic)})")
    if read.given:
        found.append(f"the application was built from {read.given}, which was given with --sources and has a kernel of this name")
    if shape.args is None:
        found.append("the arguments may be any: neither the driver nor the module said how long they are")
    if given.open:
        found.append(f"nothing was recorded of the memory behind {', '.join(given.open)}")
    if given.unsaid:
        found.append(f"{', '.join(given.unsaid)} may have any value: what was passed is an address, and those are not kept")
    return found
