"""Which kernels of two files are compared where a name stands for several: the instances of a template that take the same types.

`naive<float>`, `<double>`, `<half>` against `tiled<float>`, `<double>`, `<half>`: an instance belongs to the one whose parameters
are of the same types, in the same order. Of several such pairs one is compared, of 32 bits if there is one; which, and how to
ask for the others, is told.
"""

from __future__ import annotations

from automata.lang.core import Kernel, Space
from automata.lang.read import Found
from automata.place import InputError

Types = tuple[str, ...]


def instances_alike(ours: list[Found], theirs: list[Found]) -> tuple[Found, Found] | None:
    """The instances of two templates, or an instance and a kernel, that take the same types; None where several kernels are no
    instances of one, or none fits."""
    if len(ours) == len(theirs) == 1 or not (_are_of_one(ours) and _are_of_one(theirs)):
        return None
    found = [(one, two, types) for one in ours if (types := _types(one)) for two in theirs if _types(two) == types]
    return min(found, key=lambda each: (not _is_single(each[2]), each[0].name))[:2] if found else None


def _are_of_one(found: list[Found]) -> bool:
    """Whether kernels are instances of one template, or there is one alone."""
    return len(found) == 1 or ({item.name.partition("<")[0] for item in found} == {found[0].name.partition("<")[0]}
                               and all("<" in item.name for item in found))


def _types(item: Found) -> Types:
    """The types of a kernel's parameters, as declared; () of one that cannot be read."""
    try:
        return _of_parameters(item.read())
    except InputError:
        return ()


def _of_parameters(kernel: Kernel) -> Types:
    arrays = {array.name: f"{array.element}*" for array in kernel.arrays if array.space is Space.GLOBAL}
    scalars = {param.name: str(param.type) for param in kernel.params}
    return tuple({**arrays, **scalars}.get(name, "?") for name in kernel.order)


def _is_single(types: Types) -> bool:
    return any(kind in ("float*", "int*", "unsigned int*") for kind in types)


def told(one: Found, two: Found, ours: list[Found], theirs: list[Found]) -> str:
    """What was chosen."""
    others = ", ".join(item.name for item in (*ours, *theirs) if item not in (one, two))
    return f"of several instances {one.name} and {two.name}, which take the same types; name others as FILE:KERNEL ({others})"
