"""Two kernels made comparable: one set of names for parameters, arrays and sizes.

B's parameters and arrays take the names of A's that they stand for (same name, or `--map a=b`); B's
sizes keep a prefix unless both run at the same launch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from automata.lang.contents import arrays_named, is_on_contents
from automata.lang.core import Array, Kernel, Space
from automata.lang.effects import stored_arrays
from automata.lang.launch import Launch, Sizes, sizes_named
from automata.lang.names import names_of
from automata.place import InputError, UnsupportedError
from automata.proof.determinism import Side
from automata.proof.known.context import sizes_read
from automata.rewriting.rename import rename
from automata.rewriting.retype import is_fixed, retyped
from automata.scalar import BOOL
from equivalence.file_level import contradicted, variables


@dataclass(frozen=True, slots=True)
class Pair:
    """Two kernels in one name space, with their launches. `same_launch`: the sizes are shared symbols; `of_files`: what is
    assumed of their files, whatever else runs. `mark`: what the names that only b has begin with; `theirs`: b's own names to
    those that it has here; `converted`: b's parameters that are given one of a's, converted, and that one."""

    a: Kernel
    b: Kernel
    launch_a: Launch
    launch_b: Launch
    outputs: tuple[str, ...]
    same_launch: bool
    assumptions: tuple[str, ...]
    of_files: tuple[str, ...] = ()
    mark: str = "b."
    theirs: Mapping[str, str] = field(default_factory=dict)
    converted: Mapping[str, str] = field(default_factory=dict)

    @property
    def side_a(self) -> Side:
        return Side("", "", frozenset(sizes_read(self.b)) if self.same_launch else frozenset())

    @property
    def side_b(self) -> Side:
        return Side(self.mark, "" if self.same_launch else self.mark,
                    frozenset(sizes_read(self.a)) if self.same_launch else frozenset())


def pair_up(a: Kernel, b: Kernel, launch_a: Launch, launch_b: Launch, names: Mapping[str, str],
            outputs: tuple[str, ...], sides: tuple[Sequence[Kernel], Sequence[Kernel]] = ((), ()), *,
            is_apart: bool = False, own_extents: bool = False) -> Pair:
    """The pair; InputError when names or types do not fit. `names` maps a's parameters to b's; `sides`: all kernels of both,
    where those are sequences, which get their names from one supply; `is_apart`: requirements say how the launches hang together,
    so that neither side runs at the other's; `own_extents`: an array may have fewer elements on one side."""
    (a,), (b,), assumptions = contradicted([a], [b])
    ours, theirs = (next(marks_of(side, (a, b, *sides[0], *sides[1]))) for side in "ab")
    others = [array for kernel in sides[0] for array in variables(kernel)]
    a = rename(a, {array.name: ours + array.name for array in a.arrays if array.space is Space.SHARED
                   and array.name in {*b.order, *(other.name for other in b.arrays if other.space is Space.GLOBAL)}})
    renaming = _renaming(a, b, names, theirs, others)
    b = rename(b, renaming)
    a, b = _of_one_sign(a, b)
    _check_types(a, b)
    b, casts, converted = _apart_by_type(a, b, theirs)
    launch_b = _in_names_of_a(launch_b, a, {old: casts.get(new, new) for old, new in renaming.items()}
                              | {old: new for old, new in casts.items() if old not in renaming})
    if not is_apart:
        launch_a, launch_b, told = _of_both(launch_a, launch_b)
        assumptions += told
    same = (launch_a.grid, launch_a.block) == (launch_b.grid, launch_b.block)
    is_another = None not in (launch_a.block, launch_b.block) and launch_a.block != launch_b.block
    requires = [_required(one, other, is_apart or is_another) for one, other in ((launch_a, launch_b), (launch_b, launch_a))]
    requires = [_of_its_arrays(texts, kernel, other, is_pair=not any(sides))
                for texts, kernel, other in ((requires[0], a, b), (requires[1], b, a))]
    taken = {new: old for old, new in casts.items() if new not in launch_b.args}
    launch_a, launch_b = _of_each_other(a, b, replace(launch_a, requires=requires[0]), replace(launch_b, requires=requires[1]),
                                        converted, own_extents)
    of_files = _of_files(a, b, others)
    a, b = _with_params_of(a, b), _with_params_of(b, a)
    alone = [] if outputs else _scratch(a, b)
    told = [f"scratch, not compared: {', '.join(alone)} (one side alone has it; --output asks for it)"] if alone else []
    compared = tuple(name for name in _outputs(a, b, outputs) if name not in alone)
    return Pair(a, b, launch_a, launch_b, compared, same, (*assumptions, *told, *of_files), tuple(of_files), theirs, renaming,
                taken)


def _of_each_other(a: Kernel, b: Kernel, launch_a: Launch, launch_b: Launch, converted: Mapping[str, int | float | str],
                   own_extents: bool) -> tuple[Launch, Launch]:
    """Launches that also have the arguments and the extents that the other one states. `converted`: arguments of b that are those
    of a in another type; `own_extents`: b's arrays keep their own."""
    extents = {**launch_b.extents, **launch_a.extents}
    own = {param.name for param in a.params}
    shared_args = {name: value for name, value in launch_a.args.items() if name in own}
    more_args = {name: value for name, value in launch_b.args.items() if name not in own}
    of_a = replace(launch_a, extents=_known(extents, a), args={**more_args, **launch_a.args})
    extents |= launch_b.extents if own_extents else {}
    return of_a, replace(launch_b, extents=_known(extents, b), args={**shared_args, **converted, **launch_b.args})


def _of_files(a: Kernel, b: Kernel, others: Sequence[Array]) -> list[str]:
    """What is assumed of two files: of variables that both have, and of their languages. `others`: variables of a's sequence."""
    together = sorted(({array.name for array in (*variables(a), *others)} & {array.name for array in b.arrays})
                      | ({array.name for array in variables(b)} & {array.name for array in a.arrays}))
    found = [f"{', '.join(together)} at file level hold the same before both kernels"] if together else []
    return found + (["quotients and functions of floats round alike in CUDA and OpenCL"] if a.dialect != b.dialect else [])


def _required(launch: Launch, other: Launch, is_apart: bool) -> tuple[str, ...]:
    """What is required at a launch of a pair: all that both require, but not of its sizes what the other requires of its own."""
    theirs = (text for text in other.requires if not (is_apart and sizes_named(text)))
    return tuple(dict.fromkeys((*launch.requires, *theirs)))


def _of_its_arrays(texts: tuple[str, ...], kernel: Kernel, other: Kernel, *, is_pair: bool) -> tuple[str, ...]:
    """What is required, without what is about contents of arrays that the other kernel alone has. `is_pair`: of two kernels,
    where arrays hold the same before both."""
    if not is_pair and (on_contents := next(filter(is_on_contents, texts), None)):
        raise UnsupportedError(f"requirement '{on_contents}': of a sequence, nothing is required of what arrays hold so far")
    names, others = ({array.name for array in each.arrays} for each in (kernel, other))
    written = {text: arrays_named(text) & (stored_arrays(kernel.body) | stored_arrays(other.body)) for text in texts
               if is_on_contents(text)}
    for text, arrays in written.items():
        if arrays:
            raise UnsupportedError(f"requirement '{text}': of a pair, nothing is required of an array that a side writes")
    return tuple(text for text in texts if not is_on_contents(text) or arrays_named(text) <= names
                 or not arrays_named(text) <= others)


def _of_both(launch_a: Launch, launch_b: Launch) -> tuple[Launch, Launch, list[str]]:
    """The launches of both, where one that states none runs at the other's; and what that assumes."""
    stated_a, stated_b = launch_a.is_stated, launch_b.is_stated
    if stated_a and not stated_b:
        return launch_a, replace(launch_b, grid=launch_a.grid, block=launch_a.block), ["b states no launch: it runs at a's"]
    if stated_b and not stated_a:
        return replace(launch_a, grid=launch_b.grid, block=launch_b.block), launch_b, ["a states no launch: it runs at b's"]
    if not stated_a:
        return launch_a, launch_b, ["both kernels run at the same launch"]
    same = (launch_a.grid, launch_a.block) == (launch_b.grid, launch_b.block)
    if not same and any(None in (one, two) for one, two in ((launch_a.grid, launch_b.grid), (launch_a.block, launch_b.block))):
        return launch_a, launch_b, ["a size that a side does not state is its own: it may differ between the sides"]
    return launch_a, launch_b, []


def marks_of(side: str, kernels: Sequence[Kernel]) -> Iterator[str]:
    """What names of one side may begin with: what no name of any kernel does (a structure `b` has names `b.x`)."""
    taken = {name for kernel in kernels for name in names_of(kernel)}
    marks = (f"{side}{number or ''}." for number in count())
    return (mark for mark in marks if not any(name.startswith(mark) for name in taken))


def _renaming(a: Kernel, b: Kernel, names: Mapping[str, str], mark: str, others: Sequence[Array]) -> dict[str, str]:
    for left, right in names.items():
        if left not in a.order:
            raise InputError(f"--map {left}={right}: kernel '{a.name}' has no parameter '{left}'")
        if right not in b.order:
            raise InputError(f"--map {left}={right}: kernel '{b.name}' has no parameter '{right}'")
    found = {right: left for left, right in names.items()}
    for name in b.order:
        if name not in found and name in names:
            found[name] = mark + name
    for array in b.arrays:
        if array.space is Space.SHARED or (array.name not in b.order and not _same_at_file_level(a, array, others)):
            found[array.name] = mark + array.name
    return found


def _same_at_file_level(a: Kernel, array: Array, others: Sequence[Array]) -> bool:
    """Whether a variable of b's file is a's array of that name, a parameter or a variable of its file too: of one type, and no
    constants differ."""
    twins = [other for other in (*a.arrays, *others) if other.name == array.name]
    return array.space is Space.GLOBAL and bool(twins) and twins[0].element == array.element and (
        repr(twins[0].content) == repr(array.content))


def _of_one_sign(a: Kernel, b: Kernel) -> tuple[Kernel, Kernel]:
    """Arrays of integers as wide, of which one side sees signed ones and the other unsigned ones (by a cast of a pointer, say),
    as integers of one type: a's, unless updates ask for b's."""
    for array in a.arrays:
        twin = next((other for other in b.arrays if other.name == array.name), None)
        if twin is None or Space.GLOBAL not in (array.space, twin.space) or array.element == twin.element:
            continue
        kinds = array.element, twin.element
        are_alike = all(kind.is_int and kind != BOOL for kind in kinds) and kinds[0].bits == kinds[1].bits
        if not are_alike or array.content or twin.content:
            continue
        if not is_fixed(b, array.name):
            b = retyped(b, array.name, array.element)
        elif not is_fixed(a, array.name):
            a = retyped(a, array.name, twin.element)
    return a, b


def _check_types(a: Kernel, b: Kernel) -> None:
    for array in b.arrays:
        for other in a.arrays:
            if array.name == other.name and array.space is Space.GLOBAL:
                require_alike(other, array)
    for param in b.params:
        for twin in a.params:
            differ = param.type != twin.type and (param.type.is_float or twin.type.is_float)
            if param.name == twin.name and differ:
                raise InputError(f"parameter '{param.name}' is {twin.type} in a and {param.type} in b", param.place)


def require_alike(one: Array, two: Array, told: tuple[str, str] = ("a", "b")) -> None:
    """InputError where arrays of one name do not hold the same type at the same places of the same records. `told`: whose they
    are."""
    if one.element != two.element:
        raise InputError(f"'{two.name}' holds {one.element} in {told[0]} and {two.element} in {told[1]}", two.place)
    if one.lies != two.lies:
        where, other = map(_place_in_memory, (one, two))
        raise InputError(f"'{two.name}' lies {where} in {told[0]} and {other} in {told[1]}: their structures differ", two.place)


def _place_in_memory(array: Array) -> str:
    if not array.lies:
        return "by itself"
    distance, *strides = array.lies
    return f"at byte {distance} of {' by '.join(map(str, strides)) or 'its structure'}"


def _apart_by_type(a: Kernel, b: Kernel, mark: str) -> tuple[Kernel, dict[str, str], dict[str, int | float | str]]:
    """Integer parameters of different types get two names: b's is a's value, converted as a call would. The kernel, the names
    under which b has such parameters now, and the values of those."""
    types = {param.name: param.type for param in a.params}
    clashing = {param.name: param.type for param in b.params if types.get(param.name, param.type) != param.type}
    apart = {name: mark + name for name in clashing}
    return rename(b, apart), apart, {apart[name]: f"({kind})({name})" for name, kind in clashing.items()}


NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def _in_names_of_a(launch: Launch, a: Kernel, renaming: Mapping[str, str]) -> Launch:
    """B's launch with its parameters under their new names.

    A comment above B speaks in B's names. Flags and records speak in A's; a name that A does not have is B's.
    """
    keeps = set() if launch.is_of_kernel else set(a.order)
    names = {old: new for old, new in renaming.items() if old not in keeps}

    def text(value: Any) -> Any:
        return NAME.sub(lambda found: names.get(found.group(), found.group()), value) if isinstance(value, str) else value

    def sizes(value: Sizes | None) -> Sizes | None:
        return (text(value[0]), text(value[1]), text(value[2])) if value else None

    def keyed(values: Mapping[str, Any]) -> dict[str, Any]:
        return {renaming.get(name, name) if name not in keeps else name: text(value) for name, value in values.items()}

    return replace(launch, grid=sizes(launch.grid), block=sizes(launch.block), args=keyed(launch.args),
                   requires=tuple(map(text, launch.requires)), extents=keyed(launch.extents), ranges=keyed(launch.ranges))


def _known(extents: Mapping[str, int | str], kernel: Kernel) -> dict[str, int | str]:
    arrays = {array.name for array in kernel.arrays}
    return {name: size for name, size in extents.items() if name in arrays}


def _with_params_of(kernel: Kernel, other: Kernel) -> Kernel:
    """The kernel with the other's scalars as further parameters, so that launch expressions may use them."""
    mine = {param.name for param in kernel.params}
    return replace(kernel, params=(*kernel.params, *(param for param in other.params if param.name not in mine)))


def _scratch(a: Kernel, b: Kernel) -> list[str]:
    """The arrays that one side alone has as a parameter, and writes, where there are others to compare: it works in them."""
    held = [{array.name for array in kernel.arrays if array.space is Space.GLOBAL} for kernel in (a, b)]
    written = [stored_arrays(kernel.body) & names for kernel, names in zip((a, b), held, strict=True)]
    if not (written[0] | written[1]) & held[0] & held[1]:
        return []
    own = (written[0] - held[1]) & set(a.order), (written[1] - held[0]) & set(b.order)
    return sorted(own[0] | own[1])


def _outputs(a: Kernel, b: Kernel, wanted: tuple[str, ...]) -> tuple[str, ...]:
    both = [array.name for array in (*a.arrays, *b.arrays) if array.space is Space.GLOBAL]
    for name in wanted:
        if name not in both:
            raise InputError(f"--output {name}: neither kernel has a global array of that name")
    return wanted or tuple(dict.fromkeys(both))
