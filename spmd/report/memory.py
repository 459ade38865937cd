"""The picture of a run: which thread touches which cell of which array, in each segment.

In: a kernel compiled for the machine, a launch of it, and the finding it is a witness of, if there is one. Out: data for formats
to draw: a few cells of each array, around those of the finding, with the threads that read and wrote them, segment by segment. It
is drawn from a run on the machine and shows what happened there, no more: that other cells are left out is said in `hidden`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from automata.budget import Budget
from automata.lang.core import Array, Space
from automata.machine.numbers.values import Numbers
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Outcome, Setting, Triple, Written, subscripts
from automata.place import EndlessError, InputError
from automata.verdict import Actor, Finding

MOST_CELLS, MOST_SEGMENTS, MOST_TOUCHES = 64, 8, 6
"""Of an array; of a run; of a cell in a segment."""
MOST_THREADS, MOST_BLOCKS, MOST_ACCESSES, MOST_ROUNDS, SECONDS = 4096, 4, 400_000, 2_000, 3.0
"""Of a run that is drawn."""
MOST_ARRAYS = 6
WIDEST = 32


@dataclass
class _Cells:
    """What is shown of one array, in one block where each has its own."""

    array: Array
    block: Triple | None
    indices: list[int]
    hidden: int
    touches: dict[int, dict[int, dict[Actor, str]]] = field(default_factory=dict)
    """By segment and flat index: the threads, each with what it does: "r"eads, "w"rites, "u"pdates atomically, in this order."""


def memory_of(program: Program, setting: Setting, blocks: Sequence[Triple] | None,
              finding: Finding | None) -> dict[str, Any] | None:
    """The picture of one run; None where the launch is too large to be drawn, or does not end."""
    outcome, ran = run_of(program, setting, blocks, finding)
    if outcome is None:
        return None
    arrays = {array.name: array for array in program.automaton.kernel.arrays if array.space is not Space.PRIVATE}
    shown = [part for name, array in arrays.items() for part in _parts(array, outcome.journal, finding)][:MOST_ARRAYS]
    for part in shown:
        _fill(part, outcome.journal)
    segments = _segments(shown, finding)
    return {"grid": list(setting.grid), "block": list(setting.block), "ran": [list(block) for block in ran],
            "scalars": {name: str(value) for name, value in setting.scalars.items()},
            "segments": segments, "more_segments": len({entry.segment for entry in outcome.journal}) > len(segments),
            "arrays": [_array_record(part, segments, finding) for part in shown]}


def run_of(program: Program, setting: Setting, blocks: Sequence[Triple] | None,
           finding: Finding | None) -> tuple[Outcome | None, tuple[Triple, ...]]:
    """A run with all its accesses, of the blocks that a finding is about or the first few; and which blocks ran."""
    if setting.threads > MOST_THREADS:
        return None, ()
    x, y, _ = setting.grid
    first = [(at % x, at // x % y, at // (x * y)) for at in range(min(MOST_BLOCKS, setting.blocks))]
    actors = [spot.actor.block for spot in finding.spots if spot.actor] if finding else []
    ran = tuple(dict.fromkeys(actors or blocks or first))[:MOST_BLOCKS]
    if program.has_grid_barriers:
        ran = tuple(first) if len(first) == setting.blocks else ()
    if not ran:
        return None, ()
    options = Options(journal=True, reads=True, shadow=False, blocks=ran, max_rounds=MOST_ROUNDS, max_accesses=MOST_ACCESSES,
                      budget=Budget.of(SECONDS), parks=True)
    try:
        return program.run(setting, options), ran
    except (EndlessError, InputError):
        return None, ()


# -- which cells -----------------------------------------------------------------------------------


def _parts(array: Array, journal: list[Written], finding: Finding | None) -> list[_Cells]:
    """The cells of an array that are shown: those around the finding, else the first that are touched."""
    own = [entry for entry in journal if entry.array == array.name]
    if not own:
        return [_Cells(array, None, about, 0)] if (about := _about(array, finding)) and array.space is Space.GLOBAL else []
    block = _block(array, own, finding)
    touched = np.unique(np.concatenate([_of_block(entry, block) for entry in own]))
    chosen = _window(touched, array, _about(array, finding))
    return [_Cells(array, block, chosen, int(touched.size) - int(np.isin(touched, chosen).sum()))]


def _about(array: Array, finding: Finding | None) -> list[int]:
    """The cells of an array that a finding is about."""
    spots = finding.spots if finding and finding.array == array.name else ()
    return sorted({spot.index[0] for spot in spots if spot.index and spot.index[0] >= 0})


def _block(array: Array, own: list[Written], finding: Finding | None) -> Triple | None:
    """The block whose shared array is shown."""
    if array.space is not Space.SHARED:
        return None
    actors = [spot.actor for spot in finding.spots if spot.actor] if finding and finding.array == array.name else []
    return actors[0].block if actors else own[0].actor(0).block


def _of_block(entry: Written, block: Triple | None) -> Numbers:
    if block is None:
        return entry.indices
    return entry.indices[[entry.actor(at).block == block for at in range(entry.indices.size)]]


def _window(touched: Numbers, array: Array, around: list[int]) -> list[int]:
    """A run of cells that lie side by side; of arrays with known last dimension whole rows."""
    first, last = int(touched[0]), int(touched[-1])
    if last - first < MOST_CELLS:
        low, high = first, last + 1
    else:
        middle = around[0] if around else first
        row = array.dims[-1] if len(array.dims) > 1 and array.dims[-1] and array.dims[-1] <= WIDEST else 16
        low = max(min(middle - MOST_CELLS // 2, last + 1 - MOST_CELLS), first) // row * row
        high = min(low + MOST_CELLS, last + 1)
    return sorted({*range(low, high), *around})


# -- who touches them ----------------------------------------------------------------------------------


def _fill(part: _Cells, journal: list[Written]) -> None:
    """The threads that touch the cells that are shown."""
    wanted = np.array(part.indices)
    for entry in journal:
        if entry.array != part.array.name:
            continue
        for at in np.flatnonzero(np.isin(entry.indices, wanted)).tolist():
            actor = entry.actor(at)
            if part.block is None or actor.block == part.block:
                cell = part.touches.setdefault(entry.segment, {}).setdefault(int(entry.indices[at]), {})
                kind = "r" if entry.is_read else "u" if entry.is_update else "w"
                before = cell.get(actor, "")
                cell[actor] = "".join(sign for sign in "rwu" if sign in before + kind)


def _segments(shown: list[_Cells], finding: Finding | None) -> list[int]:
    """The segments that are shown: those in which the finding's cell is touched, and the first ones."""
    numbers = sorted({segment for part in shown for segment in part.touches})
    about = [number for number in numbers for part in shown if finding and part.array.name == finding.array
             for spot in finding.spots if spot.index and spot.index[0] in part.touches.get(number, {})]
    return sorted([*dict.fromkeys(about), *(number for number in numbers if number not in about)][:MOST_SEGMENTS])


def _array_record(part: _Cells, segments: list[int], finding: Finding | None) -> dict[str, Any]:
    dims, last = part.array.dims, part.array.dims[-1] if part.array.dims else None
    row = int(last) if len(dims) > 1 and last and last <= WIDEST else min(16, max(1, len(part.indices)))
    actors = [spot.actor for spot in finding.spots] if finding and finding.array == part.array.name else []
    cells = _about(part.array, finding)
    return {"name": part.array.name, "space": part.array.space.value, "block": list(part.block) if part.block else None,
            "hidden": part.hidden, "row": row, "is_flat": len(dims) < 2, "indices": part.indices, "about": cells,
            "names": [subscripts(index, dims) for index in part.indices],
            "segments": {str(number): _segment_record(part.touches.get(number, {}), cells, actors) for number in segments}}


def _segment_record(touches: dict[int, dict[Actor, str]], cells: list[int], actors: Iterable[Actor | None]) -> dict[str, Any]:
    """By flat index: the threads that touch it; of many the first few, and those of the finding."""
    told: dict[str, Any] = {}
    about = [actor for actor in actors if actor]
    for index, by in touches.items():
        kept = [*(actor for actor in about if actor in by and index in cells), *by]
        first = list(dict.fromkeys(kept))[:MOST_TOUCHES]
        is_met = index in cells and any(actor in by for actor in about)
        told[str(index)] = {"by": [[list(actor.block), list(actor.thread), by[actor]] for actor in first],
                            "more": len(by) - len(first), **({"conflict": True} if is_met else {})}
    return told
