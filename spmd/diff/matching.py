"""Which old kernel a new one is.

In: the kernels of both revisions. Out: pairs, each with how its sides hang together. Kernels of one name in one file are a
pair. What is left over on both sides is paired by likeness: first kernels of one Core, which were moved or renamed as they are,
then those that share the most statements, names of locals and arrays left aside. Where a text could not be read, nobody knows
what became of its kernels: they are paired with that failure, and are neither new nor deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from spmd.diff.read import Read

ALIKE, ALIKE_AT_HOME, ALIKE_BY_NAME = 0.65, 0.5, 0.3
"""The share of statements that a kernel keeps: of another name in another file, in the same file, of the same name."""
Key = tuple[str, str | None]
"""The text in which a kernel stands, and its name; None of a text that could not be read."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An old kernel and a new one; one of them None: new or deleted. `likeness`: where they were not paired by name, the share
    of statements they have in common. `units`: further texts through which the new one is the same.
    `configured`: a pair of the new revision's settings, with its number; `gone`: kernels of it that only the old revision has."""

    old: Read | None
    new: Read | None
    likeness: float | None = None
    units: tuple[str, ...] = field(default=(), compare=False)
    configured: int | None = None
    gone: frozenset[Key] = frozenset()

    @property
    def one(self) -> Read:
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def name(self) -> str:
        """What the kernel is called now, or was, if its text cannot be read; "" of a text without known kernels."""
        if self.configured is not None and self.old and self.new:
            return f"{self.old.name} / {self.new.name}"
        return next((side.name for side in (self.new, self.old) if side is not None and side.name is not None), "")

    @property
    def is_same(self) -> bool:
        """Whether there is nothing to ask: one Core, one launch."""
        return bool(self.configured is None and self.old and self.new and self.old.does_as(self.new)
                    and self.old.is_launched_as(self.new))

    @property
    def is_still(self) -> bool:
        """Whether there is nothing to tell: the same, in the same place."""
        return self.is_same and self.likeness is None

    @property
    def is_late(self) -> bool:
        """Whether there was no time to read it."""
        return any(side is not None and side.is_late for side in (self.old, self.new))

    @property
    def change(self) -> str:
        """What became of the kernel, in a few words."""
        if self.configured is not None:
            return "a pair of the settings"
        if self.is_late:
            return "not read"
        if self.old is None or self.new is None:
            return "deleted" if self.new is None else "new"
        said = []
        if self.new.name is not None and self.old.name is not None:
            said += ["moved"] if self.old.home != self.new.home else []
            said += ["renamed"] if self.old.name != self.new.name else []
        if not self.old.does_as(self.new):
            said.append("changed")
        elif not self.old.is_launched_as(self.new):
            said.append("launch")
        return ", ".join(said) or "same"


def paired(old: Iterable[Read], new: Iterable[Read]) -> list[Pair]:
    """All kernels of both sides, each in a pair."""
    left, right = _by_key(old), _by_key(new)
    found = [pair for key in sorted(left.keys() & right.keys(), key=str) for pair in _of_one_name(left[key], right[key])]
    lost = [reads[0] for key, reads in sorted(left.items(), key=str) if key not in right]
    come = [reads[0] for key, reads in sorted(right.items(), key=str) if key not in left]
    matched, lost, come = _matched(lost, come)
    found += matched
    found += _with_failures(lost, come, left, right)
    return sorted(found, key=lambda pair: (pair.one.home, pair.one.line, pair.one.name or ""))


def _by_key(reads: Iterable[Read]) -> dict[Key, list[Read]]:
    found: dict[Key, list[Read]] = {}
    for read in reads:
        found.setdefault((read.home, read.name), []).append(read)
    return found


def _of_one_name(old: list[Read], new: list[Read]) -> list[Pair]:
    """The kernels of one name in one file, as the texts see them that include it: each way to see them once."""
    by_unit = {read.unit: read for read in old}
    found: dict[object, Pair] = {}
    for read in new:
        before = by_unit.get(read.unit, old[0])
        key = read.core or read.text, read.launched, before.core or before.text, before.launched
        if key in found:
            first = found[key]
            found[key] = Pair(first.old, first.new, None, (*first.units, read.unit))
        else:
            found[key] = Pair(before, read)
    return list(found.values())


def _matched(lost: list[Read], come: list[Read]) -> tuple[list[Pair], list[Read], list[Read]]:
    """Pairs by likeness, the likest first; and what is left."""
    scored = sorted(_scores(lost, come), key=lambda row: (-row[0], row[1], row[2]))
    taken_old, taken_new = set[int](), set[int]()
    found = []
    for score, one, two in scored:
        if one not in taken_old and two not in taken_new:
            taken_old.add(one)
            taken_new.add(two)
            found.append(Pair(lost[one], come[two], min(score, 1.0)))
    return (found, [read for at, read in enumerate(lost) if at not in taken_old],
            [read for at, read in enumerate(come) if at not in taken_new])


def _scores(lost: list[Read], come: list[Read]) -> Iterator[tuple[float, int, int]]:
    """How alike two kernels are, where that is enough; among equals those of one name or file stand first."""
    counts = [[Counter(read.shape) for read in side] for side in (lost, come)]
    for one, old in enumerate(lost):
        for two, new in enumerate(come):
            if not old.core or not new.core:
                continue
            by_name, at_home = old.stem == new.stem, old.home == new.home
            nearness = 0.02 * by_name + 0.01 * at_home
            if old.core == new.core:
                yield 2 + nearness, one, two
                continue
            score = likeness(counts[0][one], counts[1][two])
            if score >= (ALIKE_BY_NAME if by_name else ALIKE_AT_HOME if at_home else ALIKE):
                yield score + nearness, one, two


def likeness(one: Counter[str], two: Counter[str]) -> float:
    """Twice what both share, of what both have: 1 where all is shared (Dice's coefficient)."""
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 0.0


def _with_failures(lost: list[Read], come: list[Read], left: dict[Key, list[Read]], right: dict[Key, list[Read]]) -> list[Pair]:
    """Pairs of what has no partner with the failure to read its file on the other side, if there is one."""
    failed_old = {read.unit: read for (_, name), reads in left.items() if name is None for read in reads}
    failed_new = {read.unit: read for (_, name), reads in right.items() if name is None for read in reads}
    found = [Pair(read, failed_new.get(read.unit)) for read in lost if read.name is not None]
    found += [Pair(failed_old.get(read.unit), read) for read in come if read.name is not None]
    told = {pair.old.unit for pair in found if pair.old and pair.old.name is None}
    told_new = {pair.new.unit for pair in found if pair.new and pair.new.name is None}
    found += [Pair(read, None) for read in lost if read.name is None and read.unit not in told]
    found += [Pair(None, read) for read in come if read.name is None and read.unit not in told_new]
    return found
