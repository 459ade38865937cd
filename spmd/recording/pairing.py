"""The launches of two recordings, paired: an application before and after a change.

In: two recordings. Out: pairs of launches of kernels with one name, and in words what has no partner. Launches are partners if
the scalars of the same name and the sizes of memory are the same; of several that are alike, the first is the first's partner,
if there are as many on both sides. Those that are left are paired in the order in which they were first made. What is paired
so may differ in sizes, program and options: those are what a change changes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from automata.place import InputError
from spmd.asked import PairQuestion
from spmd.recording.launches import Reader
from spmd.recording.read import Recorded, read_recording
from spmd.records.launch import read_record


@dataclass
class Paired:
    """`questions`: one for each pair; `alone`: what has no partner; `refused`: pairs that cannot be asked about, and why."""

    questions: list[PairQuestion] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    refused: list[tuple[str, InputError]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Side:
    launch: Recorded
    record: dict[str, Any] | InputError

    def key(self, names: frozenset[str]) -> object:
        """What partners have in common: scalars of names that both kernels have, and extents of arrays that both have."""
        if isinstance(self.record, InputError):
            return None
        return tuple((kind, name, value) for kind in ("args", "extents") for name, value in sorted(self.record[kind].items())
                     if name in names)

    def names(self) -> frozenset[str]:
        return frozenset() if isinstance(self.record, InputError) else frozenset((*self.record["args"], *self.record["extents"]))


def paired(old: str, new: str, names: dict[str, str], outputs: tuple[str, ...], mode: str, seconds: float) -> Paired:
    """All pairs of two recordings, with what is asked about each."""
    sides: list[dict[str, list[_Side]]] = []
    folders = []
    for path in (old, new):
        recording = read_recording(path)
        folders.append(recording.folder)
        groups: dict[str, list[_Side]] = defaultdict(list)
        for launch, record in Reader(recording).records():
            groups[launch.shape.kernel].append(_Side(launch, record))
        sides.append(groups)
    found = Paired()
    for kernel in dict.fromkeys((*sides[0], *sides[1])):
        before, after = (groups.get(kernel, []) for groups in sides)
        if not (before and after):
            found.alone.append(f"{kernel} was launched in {new if after else old} alone")
            continue
        pairs, left = _pairs(before, after)
        found.alone += [f"launch {side.launch.number} of {kernel} in {path} has no partner in {other}"
                        for path, other, rest in ((old, new, left[0]), (new, old, left[1])) for side in rest]
        for one, two in pairs:
            name = f"{kernel}: launch {one.launch.number} of {old}, {two.launch.number} of {new}"
            error = next((side.record for side in (one, two) if isinstance(side.record, InputError)), None)
            if error is not None:
                found.refused.append((name, error))
                continue
            a, b = (read_record(side.record, folder, seconds=seconds) for side, folder in zip((one, two), folders, strict=True))
            found.questions.append(PairQuestion(a, b, names, outputs, mode, id=name))
    return found


def _pairs(before: list[_Side], after: list[_Side]) -> tuple[list[tuple[_Side, _Side]], tuple[list[_Side], list[_Side]]]:
    """Pairs of launches of one kernel, and those without a partner on either side."""
    names = frozenset.intersection(*(side.names() for side in (*before, *after)))
    keys: dict[object, tuple[list[_Side], list[_Side]]] = defaultdict(lambda: ([], []))
    for number, group in enumerate((before, after)):
        for side in group:
            keys[side.key(names)][number].append(side)
    pairs: list[tuple[_Side, _Side]] = []
    left: tuple[list[_Side], list[_Side]] = ([], [])
    for ones, twos in keys.values():
        if len(ones) == len(twos):
            pairs += zip(ones, twos, strict=True)
        else:
            left[0].extend(ones)
            left[1].extend(twos)
    if left[0] and len(left[0]) == len(left[1]):
        pairs += zip(*left, strict=True)
        left = ([], [])
    return sorted(pairs, key=lambda pair: pair[0].launch.number), left
