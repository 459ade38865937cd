"""Sides that are sequences of kernels, in one name space: memory passes from each kernel to the next.

Each kernel of one side is paired with the first of the other as a single one would be (`pairing`). Outputs are the
arrays that both sides have; an array of one side alone is scratch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from automata.lang.core import Kernel, Space
from automata.lang.launch import Launch
from automata.lang.traverse import calls
from automata.place import InputError, UnsupportedError
from equivalence.launched import Step, compare_launched
from equivalence.pairing import Pair, pair_up
from equivalence.relation import Relation
from equivalence.result import EquivReport

Stated = tuple[Kernel, Launch]


def compare_sequences(a: Sequence[Stated], b: Sequence[Stated], names: Mapping[str, str], outputs: tuple[str, ...], mode: str,
                      deadline: float | None, relations: Sequence[Relation] = (), *, certify: bool = False) -> EquivReport:
    """The report on two sides, of which one at least has several kernels; InputError when they do not fit each other."""
    for kernel, launch in (*a, *b):
        if not launch.is_stated:
            raise InputError(f"kernel '{kernel.name}' of a sequence states no launch: state one above it", kernel.place)
    behind = [_paired(a[0], item, names) for item in b]
    before = [_paired(item, b[0], names) for item in a]
    first = [Step(pair.a, pair.launch_a, pair.side_a) for pair in before]
    second = [Step(pair.b, pair.launch_b, pair.side_b) for pair in behind]
    for step in (*first, *second):
        if not step.is_fixed:
            open_ = ", ".join(str(term) for term in step.context.symbols())
            raise InputError(f"sequences are compared at concrete launches: give {open_} of kernel '{step.kernel.name}' a value",
                             step.kernel.place)
    stated = _fetches(first) + _fetches(second)
    held = [_arrays(steps) for steps in (first, second)]
    for name in outputs:
        if name not in held[0] and name not in held[1]:
            raise InputError(f"--output {name}: no kernel has a global array of that name")
    shared = tuple(name for name in held[0] if name in held[1])
    scratch = sorted({*held[0], *held[1]} - set(shared) - set(outputs))
    stated += [f"scratch, not compared: {', '.join(scratch)}"] if scratch and not relations else []
    return compare_launched(first, second, outputs or shared, stated, mode, deadline, None, relations, certify=certify)


def _paired(a: Stated, b: Stated, names: Mapping[str, str]) -> Pair:
    known = {left: right for left, right in names.items() if left in a[0].order and right in b[0].order}
    pair = pair_up(a[0], b[0], a[1], b[1], known, ())
    own = {name: size for name, size in b[1].extents.items() if name in pair.launch_b.extents}
    return replace(pair, launch_b=replace(pair.launch_b, extents={**pair.launch_b.extents, **own}))


def _fetches(steps: Sequence[Step]) -> list[str]:
    """What is taken for granted of the images and textures of a side; UnsupportedError where one kernel writes an image that
    another reads, for a fetch knows nothing of writes."""
    written = {array.name.rpartition(".")[0] for step in steps for array in step.kernel.arrays
               if array.space is Space.GLOBAL and "." in array.name}
    fetched: dict[str, None] = {}
    for call in (call for step in steps for call in calls(step.kernel)
                 if call.source and not call.function.startswith("get_image")):
        if written & {call.source, call.source.rpartition(".")[0]}:
            raise UnsupportedError(f"an image that one kernel of a sequence writes and another reads ({call.source})", call.place)
        fetched[call.source] = None
    return [f"no kernel writes what {', '.join(fetched)} fetch from"] if fetched and len(steps) > 1 else []


def _arrays(steps: Sequence[Step]) -> list[str]:
    """The global arrays of a side, each with one type."""
    found: dict[str, object] = {}
    for step in steps:
        for array in step.kernel.arrays:
            if array.space is not Space.GLOBAL or array.content is not None:
                continue
            if found.setdefault(array.name, array.element) != array.element:
                raise InputError(f"'{array.name}' holds {found[array.name]} in one kernel of a sequence and {array.element} "
                                 "in another", array.place)
    return list(found)
