"""Pointer parameters to which a launch passes one buffer.

Checks take for granted that what two parameters point to does not overlap. A launch may pass the same pointer twice, to work in
place: `shift<<<g, b>>>(d, d, n)`. Then what the parameters point to is one array.

Input: a kernel and groups of pointer parameters, each group of one buffer, from its start. Output: the kernel with one array for
each group, under the name of the first; so everything that is said of it, conflicts above all, is said of the buffer. Arrays that
nobody writes stay as they are: whether they are one makes no difference. Buffers that are seen as elements of unlike types are
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from automata.lang.core import Array, AsyncCopy, Atomic, Kernel, Space, Store
from automata.lang.launch import Launch
from automata.lang.traverse import walk
from automata.place import InputError, UnsupportedError
from automata.rewriting.alignment import aligned_as_required
from automata.rewriting.rename import rename
from automata.rewriting.smaller_groups import with_present
from automata.rewriting.validated import with_validated_reads

BROKEN = ", though __restrict__ promises that they are not: what a compiler makes of that is not looked at"
Groups = tuple[tuple[str, ...], ...]
"""Names of parameters, those of one buffer together."""


def at_launch(kernel: Kernel, launch: Launch, *, strict: bool = False) -> Kernel:
    """The kernel as a launch makes it: values of the host that sizes hang on are parameters, arrays begin where it says,
    buffers that are one are one array, threads that it does not have do nothing, and what compare-and-swaps validate is read as
    they read it, but for `strict`."""
    return on_host(aligned_as_required(kernel, launch.requires), launch, strict=strict)


def on_host(kernel: Kernel, launch: Launch, *, strict: bool = False) -> Kernel:
    """The same, but for where arrays begin."""
    whole = with_present(kernel, launch.present)
    one = as_one(replace(whole, params=(*whole.params, *launch.of_host)), launch.aliases)
    return one if strict else with_validated_reads(one)


def as_one(kernel: Kernel, groups: Groups) -> Kernel:
    """The kernel with one array for each group of parameters; where that is so already, the same. InputError for a name that is
    no pointer parameter, UnsupportedError for elements of unlike types."""
    for name in (name for group in groups for name in group):
        if not _arrays(kernel, name) and name not in kernel.buffers:
            raise InputError(f"'{name}' of kernel '{kernel.name}' is said to be one buffer with others: it is no pointer "
                             f"parameter; there is: {', '.join(filter(None, kernel.buffers)) or 'none'}", kernel.place)
    names = _stands_for(kernel, groups)
    if not names:
        return kernel
    clashing = {name for name, other in names.items() if kernel.array(other).restrict or kernel.array(name).restrict}
    one = rename(replace(kernel, arrays=tuple(_widest(array, kernel, names) for array in kernel.arrays
                                              if array.name not in names)), names)
    said = [f"{names[name]}, {name} are one buffer{BROKEN if name in clashing else ''}" for name in names]
    return replace(one, order=tuple(dict.fromkeys(one.order)), buffers=kernel.buffers, assumptions=(*one.assumptions, *said))


def standing_for(kernel: Kernel, groups: Groups) -> dict[str, str]:
    """Of a kernel that has one array for each group, which parameter stands for which others."""
    return {name: next(other for other in group if _arrays(kernel, other)) for group in merged(groups) for name in group
            if not _arrays(kernel, name) and any(_arrays(kernel, other) for other in group)}


def _stands_for(kernel: Kernel, groups: Groups) -> dict[str, str]:
    """Which array of Core stands for which others."""
    return {name: other for group in merged(groups) for name, other in _names(kernel, group).items()}


def of_one(kernel: Kernel, launch: Launch) -> Launch:
    """A launch whose facts on arrays are those of the one array that stands for several: the fewest elements, the narrowest
    range."""
    extents, ranges = dict(launch.extents), dict(launch.ranges)
    for name, other in _stands_for(kernel, launch.aliases).items():
        if (size := extents.pop(name, None)) is not None:
            before = extents.get(other, size)
            extents[other] = min(before, size) if isinstance(before, int) and isinstance(size, int) else before
        if bounds := ranges.pop(name, None):
            low, high = ranges.get(other, bounds)
            ranges[other] = max(low, bounds[0]), min(high, bounds[1])
    return replace(launch, extents=extents, ranges=ranges)


def merged(groups: Groups) -> Groups:
    """Groups that have a name in common are one."""
    found: list[set[str]] = []
    for group in groups:
        now = set(group)
        for other in [each for each in found if each & now]:
            now |= other
            found.remove(other)
        found.append(now)
    rank = {name: at for at, name in enumerate(dict.fromkeys(name for group in groups for name in group))}
    return tuple(tuple(sorted(group, key=rank.__getitem__)) for group in found)


def _names(kernel: Kernel, group: Iterable[str]) -> dict[str, str]:
    """Which array of a group stands for which of the others."""
    parts = sorted((name for name in dict.fromkeys(group) if _arrays(kernel, name)), key=_rank(kernel))
    written = {name for stmt in walk(kernel.body) for name in _written(stmt)}
    found: dict[str, str] = {}
    for at, name in enumerate(parts):
        for array in _arrays(kernel, name):
            for other in (other for before in parts[:at] for other in _arrays(kernel, before)):
                if array.name in found or not {array.name, other.name} & written:
                    continue
                if _is_same(array, other):
                    found[array.name] = found.get(other.name, other.name)
                elif _may_meet(array, other):
                    raise UnsupportedError(f"one buffer for '{other.name}', whose elements are {other.element}, and "
                                           f"'{array.name}', whose elements are {array.element}", kernel.place)
    return found


def _rank(kernel: Kernel) -> Callable[[str], int]:
    """Where a parameter stands in the declaration."""
    rank = {name: at for at, name in enumerate(kernel.buffers)}
    return lambda name: rank.get(name, len(rank))


def _written(stmt: object) -> tuple[str, ...]:
    match stmt:
        case Store(array=name) | Atomic(array=name) | AsyncCopy(target=name):
            return (name,)
    return ()


def _arrays(kernel: Kernel, name: str) -> list[Array]:
    """The arrays that a pointer parameter leads to: one, or one for each field of its records."""
    return [array for array in kernel.arrays if array.space is Space.GLOBAL and name in (array.name, array.of)]


def _is_same(one: Array, two: Array) -> bool:
    """Whether equal subscripts are equal cells."""
    return (one.element, one.dims, one.unit, one.lies) == (two.element, two.dims, two.unit, two.lies)


def _may_meet(one: Array, two: Array) -> bool:
    """Whether cells of two arrays may lie over each other: not if they are fields of the same records that do not."""
    if not one.lies or not two.lies or one.lies[1:] != two.lies[1:]:
        return True
    (first, a), (last, b) = sorted(((one.lies[0], one), (two.lies[0], two)), key=lambda row: row[0])
    return len(one.dims) > 1 or len(two.dims) > 1 or last < first + a.element.bytes or b.unit != a.unit


def _widest(array: Array, kernel: Kernel, names: dict[str, str]) -> Array:
    """An array that stands for others: what is true of each of them."""
    others = [kernel.array(name) for name, other in names.items() if other == array.name]
    return replace(array, const=array.const and all(other.const for other in others),
                   volatile=array.volatile or any(other.volatile for other in others))
