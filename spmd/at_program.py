"""A pair at the launches that its program makes, and at one size of the arguments that those leave open.

Input: the kernels of both sides, the pairs of launches that belong together (`pair_launches`), and a function that compares at
one pair of launches. Output: the answer, and the launches of which it speaks. All launches decide: the first at which the two are
not equal, else one at which that is open. What hangs on values that the text leaves open is judged in `open_pairs`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from automata.lang.launch import Launch
from automata.place import InputError, UndecidedError
from automata.scope import THIS_LAUNCH
from equivalence.result import EqualityClass, EquivReport, EquivVerdict
from spmd.asked import PairQuestion
from spmd.one_size import computed_arguments, open_arguments, sizes
from spmd.open_pairs import at_perhaps, chosen, is_told_of_neither, judged, left_open, related_sizes
from spmd.pair_launches import Launched, alike, has_loops, is_of_all_sizes, scope_of

OF_LAUNCHES, OF_NUMBERS, OF_ALL_SIZES = 0.65, 0.95, 0.15
"""Of the time that is left, for the launches of the program, where those leave arguments open and where they are of numbers; and
of all the time, for all sizes besides. What is left is for a look at one size."""
OF_A_LOOK = 3
"""Of what is left then, the part for what a race hangs on."""
OF_POSITIVE = 0.6
"""Of what is left then, the part for arguments that are positive."""
LEAST_LOOK = 1.0
"""Seconds below which there is no look at one size."""
Sides = list[list[Launched]]
SETTLED = (EquivVerdict.EQUAL, EquivVerdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, how it is answered at one launch of each side, and since when there is time for it."""

    question: PairQuestion
    at: Callable[[PairQuestion, Sides], EquivReport]
    began: float

    @property
    def left(self) -> float | None:
        """The seconds that are left."""
        seconds = self.question.a.seconds
        return None if seconds is None else seconds - (time.monotonic() - self.began)

    def within(self, seconds: float | None) -> PairQuestion:
        """The question with another limit."""
        return replace(self.question, a=replace(self.question.a, seconds=seconds))


def at_program(asked: Asked, sides: Sides, pairs: list[tuple[Launched, Launched]]) -> tuple[EquivReport, list[Launch]]:
    """The answer at the launches of the program, and the launches of which it speaks: the first that is not equal decides. All
    sizes are asked about first where no loop hangs on them, and where launches are of numbers, which may be large ones."""
    at_first = _at_all_sizes_first(asked, sides, pairs)
    if at_first is not None and at_first.verdict is EquivVerdict.EQUAL:
        return at_first, [sides[0][0][1], sides[1][0][1]]
    seconds = asked.left if asked.question.a.seconds else None
    is_open = any(open_arguments(one, two, asked.question.names) or is_told_of_neither(one, two) for one, two in pairs)
    share = None if seconds is None else seconds * (OF_LAUNCHES if is_open else OF_NUMBERS) / len(pairs)
    found, refused = list[tuple[EquivReport, list[Launch]]](), list[InputError]()
    for one, two in (alike(*pair, asked.question.names) for pair in pairs):
        try:
            report = _at_pair(asked, one, two, share)
        except InputError as error:
            refused.append(error)
            continue
        found.append((report, [one[1], two[1]]))
        if report.verdict not in SETTLED:
            return found[-1]
    if not found:
        raise refused[0]
    unknown = [each for each in found if each[0].verdict is EquivVerdict.UNKNOWN]
    if unknown:
        return unknown[0]
    report, launches = max(found, key=lambda each: each[0].equality.rank if each[0].equality else 0)
    others = [f"equal too {each.scope}" for each, _ in found if each is not report]
    return replace(report, notes=(*report.notes, *others)), launches


def _at_all_sizes_first(asked: Asked, sides: Sides, pairs: list[tuple[Launched, Launched]]) -> EquivReport | None:
    """What holds of all sizes, where that speaks of the launches, in a part of the time; None where it is not asked."""
    are_open = bool(open_arguments(*pairs[0], asked.question.names))
    if not all(is_of_all_sizes(*pair) for pair in pairs) or (are_open and any(has_loops(side[0][0]) for side in sides)):
        return None
    seconds = asked.question.a.seconds
    return asked.at(asked.within(seconds and seconds * OF_ALL_SIZES), sides)


def _at_pair(asked: Asked, one: Launched, two: Launched, seconds: float | None) -> EquivReport:
    """The answer at one launch of each side."""
    report = asked.at(asked.within(seconds), [[one], [two]])
    scope = scope_of(report.scope or THIS_LAUNCH, one[1], two[1])
    noted = () if report.verdict is EquivVerdict.EQUAL else (str(scope),)
    report = replace(report, scope=scope if report.scope is not None else None, notes=(*report.notes, *noted))
    left = asked.left
    report = judged(report, one, two, asked.question.names, left and left / OF_A_LOOK)
    if picked := chosen(report, one, two):
        report = left_open(*_where_equal(asked, report, picked, one, two), picked)
    elif report.verdict is EquivVerdict.UNKNOWN:
        report = _where_positive(asked, report, one, two)[0]
    return at_perhaps(report, one, two)


def _where_equal(asked: Asked, report: EquivReport, picked: Mapping[str, int | float], one: Launched,
                 two: Launched) -> tuple[EquivReport, bool]:
    """A difference, with values of what is open at which the two are equal; and whether other values would have to be looked at,
    which time or the launches do not admit. `picked`: those at which it was found."""
    related, left = related_sizes(picked, one, two), asked.left
    is_left = False
    if related and not asked.question.related:
        is_left = True
        question = replace(asked.within(left and left / 2), certify=False, suggest=False, related=related)
        with suppress(UndecidedError, RecursionError, InputError):
            found = asked.at(question, [[one], [two]]) if left is None or left >= LEAST_LOOK else report
            if found.verdict is EquivVerdict.EQUAL and found.equality is not None:
                told = " && ".join(related)
                return replace(report, evidence=f"equal, {found.equality.value}, where {told}", suggested=told), False
            is_left = found is report or found.verdict is EquivVerdict.UNKNOWN
    if any(isinstance(value, int) and value < 1 for value in picked.values()):
        report, is_left_there = _where_positive(asked, report, one, two)
        is_left |= is_left_there
    report, is_left_too = _at_one_size(asked, report, one, two)
    return report, is_left or is_left_too


def _where_positive(asked: Asked, report: EquivReport, one: Launched, two: Launched) -> tuple[EquivReport, bool]:
    """The report, with what holds where every open argument is positive as evidence: sizes mostly are, though no text says so.
    And whether nothing was decided there."""
    names, left = asked.question.names, asked.left
    arguments = open_arguments(one, two, names)
    if not arguments or (left is not None and left < LEAST_LOOK):
        return report, bool(arguments)
    question = replace(asked.within(left and left * OF_POSITIVE), certify=False, suggest=False)
    try:
        found = asked.at(question, [[_positive(one, arguments, {})], [_positive(two, arguments, names)]])
    except (UndecidedError, RecursionError, InputError):
        return report, True
    if found.verdict is EquivVerdict.EQUAL and found.equality is not None:
        told = " && ".join(f"{name} >= 1" for name in arguments)
        return replace(report, evidence=_also(report, found.equality, f"where {told}"), suggested=told), False
    return report, found.verdict is EquivVerdict.UNKNOWN


def _also(report: EquivReport, kind: EqualityClass, where: str) -> str:
    """The evidence of a report, and that the two are equal somewhere."""
    return "; ".join(filter(None, [report.evidence, f"equal, {kind.value}, {where}"]))


def _positive(side: Launched, arguments: list[str], names: Mapping[str, str]) -> Launched:
    """A side whose open arguments are required to be positive. `names`: as the side calls them."""
    kernel, launch = side
    return kernel, replace(launch, requires=(*launch.requires, *(f"{own} >= 1" for own in _own(side, arguments, names))))


def _own(side: Launched, arguments: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Those of some arguments that a side has, as it calls them, each with the name by which it is known. `names`: as the side
    calls them."""
    known = {param.name for param in side[0].params}
    return {names.get(name, name): name for name in arguments if names.get(name, name) in known}


def at_one_size(asked: Asked, report: EquivReport, one: Launched, two: Launched) -> EquivReport:
    """The report, with what the pair comes to at one size as evidence, where arguments are open, in the time that is left."""
    return _at_one_size(asked, report, one, two)[0]


def _at_one_size(asked: Asked, report: EquivReport, one: Launched, two: Launched) -> tuple[EquivReport, bool]:
    """The same, and whether nothing was decided at the sizes that are to be tried."""
    if report.one_size or report.suggested or not (one[1].is_stated or two[1].is_stated):
        return report, False
    names = asked.question.names
    arguments, is_last = open_arguments(one, two, names), report.verdict is EquivVerdict.DIFFERENT
    arguments = arguments or (computed_arguments(one, two, names) if is_last else [])
    is_left = bool(arguments)
    for numbers in sizes(arguments, is_last=is_last) if arguments else ():
        left = asked.left
        if left is not None and left < LEAST_LOOK:
            break
        limited = replace(asked.within(left and left / 2), certify=False, suggest=False)
        try:
            found = asked.at(limited, [[with_numbers(one, numbers, {})], [with_numbers(two, numbers, names)]])
        except (UndecidedError, RecursionError, InputError):
            continue
        if found.verdict is EquivVerdict.EQUAL and found.equality is not None:
            at = ", ".join(f"{name} = {value}" for name, value in numbers.items())
            return replace(report, evidence=_also(report, found.equality, f"at {at}"), one_size=numbers), False
        is_left &= found.verdict is EquivVerdict.UNKNOWN
    return report, is_left


def with_numbers(side: Launched, numbers: Mapping[str, int], names: Mapping[str, str]) -> Launched:
    """A side with numbers for its open arguments. `names`: as the side calls them."""
    kernel, launch = side
    stated = {own: numbers[name] for own, name in _own(side, numbers, names).items()}
    return kernel, replace(launch, args={**launch.args, **stated})
