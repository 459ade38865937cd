"""Which settings of a variable may be the last when a token runs, of those that may have run, each at most once and in order.

In: a variable and its settings. Out: those that are not certainly replaced by later ones: by one that comes always, by those of
both branches of an `if`, or by those behind all labels of a `switch` that takes every value.
"""

from __future__ import annotations

from automata.lang.host.counting import Given
from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Structure, Test
from automata.lang.host.program import Program

_LEAVING = frozenset({"break", "continue", "goto"})
_ENDING = frozenset({"return", "throw"})
_BEFORE = frozenset({";", "{", "}", ":"})
_CLASSES = frozenset({"struct", "class", "union"})


def living(program: Program, variable: Variable, options: list[Given]) -> list[Given]:
    """Those that may be the last."""
    flow, always = program.flow, set[tuple[tuple[int, bool], ...]]()
    for index in range(len(options) - 1, -1, -1):
        place = options[index][0]
        tests: list[Test] | None = []
        first = place
        if place != variable.at:
            switch = flow.choosing(place)
            if switch is not None and sets_always(program, switch, [each for each, _, _ in options]):
                tests, first = flow.tests_before(switch, variable.at), switch.begin
            else:
                tests = flow.tests(place, variable.at)
        if tests is None:
            continue
        path = tuple((id(test.node), test.holds) for test in tests)
        while path and ((path[0][0], not path[0][1]), *path[1:]) in always:
            path = path[1:]
        always.add(path)
        if not path:
            return [option for at, option in enumerate(options) if at >= index or option[0] >= first]
    return options


def sets_always(program: Program, switch: Structure, places: list[int]) -> bool:
    """Whether each way through a `switch` passes one of some places, or leaves the function: each label is followed by one before
    anything else leads away, or leads on to the next. No label may be the statement that something else chooses or repeats, and
    no class may stand there, whose methods return as well."""
    text, is_set = program.tokens.text, False
    if not _CLASSES.isdisjoint(text[switch.begin : switch.end]) or any(text[label - 1] not in _BEFORE for label in switch.labels):
        return False
    inside = [place for place in places if program.flow.choosing(place) is switch]
    for begin, end in reversed(list(zip(switch.labels, [*switch.labels[1:], switch.end], strict=True))):
        ending = _ends(program, switch, begin, end)
        first = min((place for place in inside if begin <= place < end), default=end)
        is_left = not _LEAVING.isdisjoint(text[begin : min(first, ending)])
        is_set = not is_left and (min(first, ending) < end or is_set)
        if not is_set:
            return False
    return switch.has_default and is_set


def _ends(program: Program, switch: Structure, begin: int, end: int) -> int:
    """Where the first statement stands behind a label that leaves the function, under no condition; the end where none does."""
    text, flow = program.tokens.text, program.flow
    return next((at for at in range(begin, end) if text[at] in _ENDING and text[at - 1] in _BEFORE
                 and flow.choosing(at) is switch), end)
