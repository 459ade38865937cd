"""Sides that are sequences of kernels, in one name space: memory passes from each kernel to the next.

Each kernel of one side is paired with the first of the other as a single one would be (`pairing`). Outputs are the
arrays that both sides have; an array of one side alone is scratch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from automata.budget import Budget
from automata.lang.core import Array, Kernel, Param, Space, Special
from automata.lang.launch import Launch, read_requirement
from automata.lang.traverse import calls, within
from automata.place import InputError, UnsupportedError
from equivalence.file_level import contradicted, told_apart
from equivalence.kernels_in_turn import compare_for_all_sizes
from equivalence.launched import compare_launched
from equivalence.pairing import Pair, marks_of, pair_up, require_alike
from equivalence.relation import Relation
from equivalence.result import EquivReport
from equivalence.step import Step

Bare = tuple[Kernel, Launch]
Stated = tuple[Kernel, Launch, str]
"""A kernel, its launch, and the file it is read from."""


def compare_sequences(a: Sequence[Stated], b: Sequence[Stated], names: Mapping[str, str], outputs: tuple[str, ...], mode: str,
                      budget: Budget, relations: Sequence[Relation] = (), *, certify: bool = False) -> EquivReport:
    """The report on two sides, of which one at least has several kernels; InputError when they do not fit each other."""
    for kernel, launch, _ in (*a, *b):
        if not launch.is_stated:
            raise InputError(f"kernel '{kernel.name}' of a sequence states no launch: state one above it", kernel.place)
    kernels, assumed = _of_files(a, b)
    (first_a, *_), (first_b, *_) = kernels
    sides = [kernel for kernel, _ in kernels[0]], [kernel for kernel, _ in kernels[1]]
    _require_mapped(*sides, names)
    behind = [_paired(first_a, item, names, sides) for item in kernels[1]]
    before = [_paired(item, first_b, names, sides) for item in kernels[0]]
    first = [Step(pair.a, pair.launch_a, pair.side_a) for pair in before]
    second = [Step(pair.b, pair.launch_b, pair.side_b) for pair in behind]
    is_open = any(not step.is_fixed for step in (*first, *second))
    theirs = {old: new for pair in behind for old, new in pair.theirs.items()}
    relations = [relation.in_names(theirs, frozenset(name for kernel in sides[0] for name in kernel.order))
                 for relation in relations]
    stated = assumed + _fetches(first) + _fetches(second)
    stated += dict.fromkeys(text for pair in behind for text in pair.of_files)
    held = [_arrays(steps) for steps in (first, second)]
    for name in (name for name in held[0] if name in held[1]):
        require_alike(held[0][name], held[1][name])
    for name in outputs:
        if name not in held[0] and name not in held[1]:
            raise InputError(f"--output {name}: no kernel has a global array of that name")
    shared = tuple(name for name in held[0] if name in held[1])
    scratch = sorted({*held[0], *held[1]} - set(shared) - set(outputs))
    stated += [f"scratch, not compared: {', '.join(scratch)}"] if scratch and not relations else []
    if is_open:
        _require_one_type([*first, *second])
        one, two = (_apart(steps, marks_of(side, [*sides[0], *sides[1]])) for side, steps in (("a", first), ("b", second)))
        return compare_for_all_sizes(one, two, outputs or shared, stated, mode, budget, relations)
    return compare_launched(first, second, outputs or shared, stated, mode, budget, None, relations, certify=certify)


def _of_files(a: Sequence[Stated], b: Sequence[Stated]) -> tuple[list[list[Bare]], list[str]]:
    """Both sides with their variables of files told apart, and what is assumed of those."""
    (one, told), (two, more) = (told_apart([kernel for kernel, _, _ in side], [file for _, _, file in side]) for side in (a, b))
    one, two, unlike = contradicted(one, two)
    sides = [[(kernel, launch) for kernel, (_, launch, _) in zip(made, side, strict=True)] for made, side in ((one, a), (two, b))]
    return sides, [*(f"a: {text}" for text in told), *(f"b: {text}" for text in more), *unlike]


def _paired(a: Bare, b: Bare, names: Mapping[str, str], sides: tuple[Sequence[Kernel], Sequence[Kernel]]) -> Pair:
    known = {left: right for left, right in names.items() if left in a[0].order and right in b[0].order}
    pair = pair_up(a[0], b[0], a[1], b[1], known, (), sides)
    own = {name: size for name, size in b[1].extents.items() if name in pair.launch_b.extents}
    return replace(pair, launch_b=replace(pair.launch_b, extents={**pair.launch_b.extents, **own}))


def _apart(steps: Sequence[Step], marks: Iterator[str]) -> list[Step]:
    """Steps with sizes of blocks and grids of their own. UnsupportedError where a requirement is about these: it speaks of one
    launch."""
    for step in steps:
        text = next((text for text in step.launch.requires
                     if any(isinstance(part, Special) for part in within(read_requirement(text, step.kernel)))), None)
        if text is not None:
            raise UnsupportedError(f"a requirement on the sizes of one launch of a sequence: '{text}'", step.kernel.place)
    next(marks)  # of a side that is one kernel
    return [Step(step.kernel, step.launch, replace(step.side, prefix=mark, sizes=frozenset()))
            for step, mark in zip(steps, marks, strict=False)]


def _require_one_type(steps: Sequence[Step]) -> None:
    """UnsupportedError for a parameter that has one type in one kernel and another in another: of what it is converted to,
    nothing is known where it has no value."""
    known: dict[str, Param] = {}
    for param in (param for step in steps for param in step.kernel.params):
        twin = known.setdefault(param.name, param)
        if twin.type != param.type:
            raise UnsupportedError(f"'{param.name}' is {twin.type} in one kernel of a sequence and {param.type} in another; "
                                   "give it a value", param.place)


def _fetches(steps: Sequence[Step]) -> list[str]:
    """What is taken for granted of the images and textures of a side; UnsupportedError where one kernel writes an image that
    another reads, for a fetch knows nothing of writes."""
    written = {array.of for step in steps for array in step.kernel.arrays if array.space is Space.GLOBAL and array.of}
    fetched: dict[str, None] = {}
    for call in (call for step in steps for call in calls(step.kernel)
                 if call.source and not call.function.startswith("get_image")):
        if call.source in written:
            raise UnsupportedError(f"an image that one kernel of a sequence writes and another reads ({call.source})", call.place)
        fetched[call.source] = None
    return [f"no kernel writes what {', '.join(fetched)} fetch from"] if fetched and len(steps) > 1 else []


def _arrays(steps: Sequence[Step]) -> dict[str, Array]:
    """The global arrays of a side, each with one type, at the same places of the same records in all its kernels."""
    found: dict[str, Array] = {}
    for step in steps:
        for array in step.kernel.arrays:
            if array.space is Space.GLOBAL and array.content is None:
                require_alike(found.setdefault(array.name, array), array, ("one kernel of a sequence", "another"))
    return found


def _require_mapped(a: Sequence[Kernel], b: Sequence[Kernel], names: Mapping[str, str]) -> None:
    """InputError for a name of `--map` that is none, or that pairing the kernels of a sequence would pass over."""
    for left, right in names.items():
        for name, side, kernels in ((left, "a", a), (right, "b", b)):
            if not any(name in kernel.order for kernel in kernels):
                raise InputError(f"--map {left}={right}: no kernel of {side} has a parameter '{name}'")
        passed_over = [kernel for kernel in b if right in kernel.order and left not in a[0].order]
        passed_over += [kernel for kernel in a if left in kernel.order and right not in b[0].order]
        if passed_over:
            raise InputError(f"--map {left}={right}: in sequences only parameters of the first kernels are mapped; name those of "
                             f"'{passed_over[0].name}' alike in the source", passed_over[0].place)
