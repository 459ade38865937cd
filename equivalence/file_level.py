"""Variables of files, on both sides of a comparison: which of them are one, and what they hold at first.

A variable of one name is another one in each file that defines it, `static` or not: no program holds two definitions of one
variable with external linkage, and without separate compilation nvcc makes variables of the device local to their file. Only
`extern` makes it one. Both sides are taken to begin with the same contents, which the host may have set, unless what the files
say contradicts that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from automata.lang.core import Array, Kernel, Space
from automata.lang.effects import stored_arrays
from automata.place import UndecidedError
from automata.rewriting.rename import rename


def variables(kernel: Kernel) -> list[Array]:
    """The variables of its file that a kernel uses, without constant tables."""
    return [array for array in kernel.arrays
            if array.space is Space.GLOBAL and array.name not in kernel.order and array.content is None]


def told_apart(kernels: Sequence[Kernel], files: Sequence[str]) -> tuple[list[Kernel], list[str]]:
    """The kernels of one side, each of a file, with one name for each variable, and what is assumed of them. A later
    file's variable gets a name of its own where some kernel writes it, it is initialised differently, or a kernel has a parameter
    of that name; else that it holds the same in all files is assumed."""
    written = {name for kernel in kernels for name in stored_arrays(kernel.body)}
    parameters = {name for kernel in kernels for name in kernel.order}
    owners: dict[str, str] = {}
    initials: dict[str, set[str]] = {}
    for array in (array for kernel in kernels for array in variables(kernel) if array.initial is not None):
        initials.setdefault(array.name, set()).add(repr(array.initial))
    unlike = written | {name for name, found in initials.items() if len(found) > 1}
    external = {array.name for kernel in kernels for array in variables(kernel) if array.external}
    shared: dict[str, None] = {}
    made = []
    for kernel, file in zip(kernels, files, strict=True):
        names = {}
        for array in variables(kernel):
            owner = owners.setdefault(array.name, file)
            is_other = owner != file and array.name not in external
            if array.name in parameters or (is_other and array.name in unlike):
                names[array.name] = f"{PurePath(file).name}::{array.name}" if is_other else f"::{array.name}"
            elif is_other:
                shared[array.name] = None
        made.append(rename(kernel, names) if names else kernel)
    return made, [f"{', '.join(shared)}: each file has its own, and all hold the same"] if shared else []


def contradicted(a: Sequence[Kernel], b: Sequence[Kernel]) -> tuple[list[Kernel], list[Kernel], list[str]]:
    """Both sides with what their variables are initialised with, where that differs and no kernel writes them, and what is
    assumed then; UndecidedError where one does, or where it is not known what they hold."""
    first, second = _initials(a), _initials(b)
    unlike = [name for name in first if name in second and repr(first[name].initial) != repr(second[name].initial)]
    if not unlike:
        return list(a), list(b), []
    written = {name for kernel in (*a, *b) for name in stored_arrays(kernel.body)}
    for name in unlike:
        if name in written or isinstance(first[name].initial, str) or isinstance(second[name].initial, str):
            what = "which a kernel writes" if name in written else "with values that are not read"
            raise UndecidedError(f"the variable '{name}', {what}, initialised differently on the two sides", second[name].place)
    told = f"{', '.join(unlike)}: initialised differently on the two sides, and the host sets nothing else"
    return [_filled(kernel, unlike) for kernel in a], [_filled(kernel, unlike) for kernel in b], [told]


def _initials(kernels: Iterable[Kernel]) -> dict[str, Array]:
    """The variables of a side that some file initialises."""
    return {array.name: array for kernel in kernels for array in variables(kernel) if array.initial is not None}


def _filled(kernel: Kernel, names: Sequence[str]) -> Kernel:
    arrays = tuple(replace(array, content=array.initial, const=True)
                   if array in variables(kernel) and array.name in names and isinstance(array.initial, tuple) else array
                   for array in kernel.arrays)
    return replace(kernel, arrays=arrays)
