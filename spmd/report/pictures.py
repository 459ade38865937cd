"""What few formats draw, added to a record on request: the thread automata of its kernels.

It goes into the record as data, not as a drawing, so that formats need nothing but records, and so that it can be made where the
kernel is and drawn elsewhere.
"""

from __future__ import annotations

from typing import Any

from automata.lang.lower import lower
from automata.place import InputError, UndecidedError
from automata.proof.context import known_numbers, prepare
from automata.thread.automaton import Automaton
from automata.thread.build import build
from spmd.pipeline import Answer, PairAnswer, Question, choose_launch
from spmd.report.draw import drawing, drawing_record


def with_pictures(record: dict[str, Any], answer: Answer | PairAnswer) -> dict[str, Any]:
    """The record with the automata of the kernels it speaks of, as far as they can be built."""
    if isinstance(answer, Answer):
        found = {"": answer.analysis.automaton} if answer.analysis is not None else _automaton("", answer.question)
    else:
        found = _automaton("a", answer.question.a) | _automaton("b", answer.question.b)
    return {**record, "pictures": {"automata": {name: drawing_record(drawing(item)) for name, item in found.items()}}}


def _automaton(name: str, question: Question) -> dict[str, Automaton]:
    """The automaton of the one kernel that a question is about; none where it is not one, or cannot be read."""
    try:
        items = question.source.kernels()
        if len(items) != 1:
            return {}
        kernel = items[0].read()
        context = prepare(kernel, choose_launch(question, items[0], kernel))
        return {name: build(lower(kernel, known_numbers(context)))}
    except (InputError, UndecidedError, RecursionError):
        return {}
