"""Where two computations part, at one counterexample.

Input: the journals of both runs, what memory held before, and what the cell ends up as on each side. Output: for each side
the last store of what the other side ends up with: behind it the value is lost; or else its first store of a value
that the other side never holds. A hint, and of use where few inputs are not zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from automata.arithmetic import Value
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Written
from equivalence.result import Parting

DIGITS = 6


def parted(journals: Sequence[Sequence[Written]], before: Sequence[Cells],
           ends: tuple[Value, Value]) -> tuple[Parting | None, Parting | None]:
    """Both sides' part in it. `ends`: what the cell ends up as."""
    known = {_rounded(value) for cells in before for value in _once(cells)}
    held = [known | {_rounded(value) for entry in journal for value in _once(entry.values)} for journal in journals]
    one, two = (_lost(journal, end) or _new(journal, other)
                for journal, end, other in zip(journals, reversed(ends), reversed(held), strict=True))
    return one, two


def _lost(journal: Sequence[Written], end: Value) -> Parting | None:
    """The last store of a value, unless it is zero."""
    wanted = _rounded(end)
    return None if not wanted else _found(reversed(journal), lambda value: value == wanted, is_last=True)


def _new(journal: Sequence[Written], held: set[Value | str]) -> Parting | None:
    return _found(journal, lambda value: value not in held, is_last=False)


def _found(journal: Iterable[Written], wanted: Callable[[Value | str], bool], *, is_last: bool) -> Parting | None:
    for entry in journal:
        for at, value in enumerate(entry.values.tolist()):
            if wanted(_rounded(value)):
                return Parting(entry.array, int(entry.indices[at]), value, entry.actor(at), entry.place, entry.segment, is_last)
    return None


def _once(cells: Cells) -> Iterator[Value]:
    yield from np.unique(cells).tolist()


def _rounded(value: Value) -> Value | str:
    """A number as far as rounding leaves it; floats and integers alike."""
    if not math.isfinite(value):
        return str(float(value))
    return float(f"{value:.{DIGITS}g}") + 0.0 if isinstance(value, float) else value
