"""Configured pairs as comparisons: `spmd equiv` without arguments asks all of them, `spmd diff` those that a change touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from automata.lang.launch import Launch
from automata.place import InputError
from spmd.asked import PairQuestion, Question, Source
from spmd.settings.apply import with_settings
from spmd.settings.effective import Pair, Settings
from spmd.settings.read import launch_of
from spmd.sides import file_and_kernel, kernels_of


def pair_questions(settings: Settings, seconds: float, given: frozenset[str], project: str | None = None,
                   mode: str = "real") -> Iterator[tuple[Pair, PairQuestion]]:
    """The comparisons that settings state. `seconds`, `mode`: the command line's, which count if it states them."""
    for pair in settings.pairs():
        table = pair.table
        limit = seconds if "timeout" in given else float(table.get("timeout", settings.whole("timeout").value))
        kind = mode if "mode" in given else str(table.get("mode", settings.whole("mode").value))
        sides = [[_part(text, pair, settings, limit, given | {"timeout", "mode"}, project) for text in kernels_of(side)]
                 for side in (pair.original, pair.optimised)]
        yield pair, PairQuestion(sides[0][0], sides[1][0], {name: str(other) for name, other in table.get("map", {}).items()},
                                 tuple(table.get("outputs", ())), kind, tuple(sides[0][1:]), tuple(sides[1][1:]),
                                 tuple(table.get("relate", ())))


def _part(text: str | None, pair: Pair, settings: Settings, seconds: float, given: frozenset[str],
          project: str | None) -> Question:
    """One kernel of a side. The launch of a pair speaks in the names of the original."""
    if not text:
        raise InputError(f"{pair.origin}: a pair needs two kernels, as 'file.cu:kernel'")
    file, kernel = file_and_kernel(text)
    stated = pair.table.get("launch")
    launch: Launch | None = None
    if stated is not None:
        first = stated[0] if isinstance(stated, list) else stated
        launch = replace(launch_of(first, pair.origin), is_of_kernel=False)
    question = Question(Source(file, kernel, project=project), launch, tuple(pair.table.get("require", ())), seconds=seconds)
    return with_settings(question, settings, given)
