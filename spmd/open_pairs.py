"""What a comparison says where the launches of the program leave values open.

Input: the report on a pair at launches that the program's text tells. What the text does not tell of them counts as any value,
so an equality speaks of all. A race of a side, or a difference, picks values that the program may never pass. The race of one
side is judged as `spmd check` judges it (`open_values`). A difference decides unless the two are equal at other values: at one
size of the arguments, or where sizes of which the text tells nothing are the same on both sides. Values of the command line are
not open: whoever calls the program may give any number that its tests admit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.verdict import Verdict
from equivalence.pairing import pair_up
from equivalence.result import EquivReport, EquivVerdict
from spmd.open_values import leave_open
from spmd.pair_launches import Launched, names_left

MOST_NAMED = 4
OF_B = "b."


def judged(report: EquivReport, one: Launched, two: Launched, names: Mapping[str, str], seconds: float | None) -> EquivReport:
    """The report, of which a side is refuted only if that hangs on nothing that its launch leaves open. `names`: a's parameters
    to b's; `seconds`: what is left of the user's limit."""
    found = report.reports.get(report.side or "")
    if report.verdict is not EquivVerdict.NONDETERMINISTIC or found is None:
        return report
    pair = pair_up(*one[:1], *two[:1], one[1], two[1], names_left(names, one), ())
    kernel, launch = (pair.a, pair.launch_a) if report.side == "a" else (pair.b, pair.launch_b)
    opened = leave_open(found, kernel, launch, seconds)
    reports = {**report.reports, str(report.side): opened}
    if opened.verdict is Verdict.REFUTED:
        return replace(report, reports=reports)
    return replace(report, verdict=EquivVerdict.UNKNOWN, reason=f"side {report.side} ({found.kernel}): {opened.reason}",
                   reports=reports)


def chosen(report: EquivReport, one: Launched, two: Launched) -> dict[str, int | float]:
    """The open values that a difference picks, by the names of the counterexample."""
    found = report.counterexample
    if report.verdict is not EquivVerdict.DIFFERENT or found is None:
        return {}
    launches = (one[1], two[1])
    given = {name for launch in launches for name in launch.inputs
             if all(name in other.inputs for kernel, other in (one, two) if _has(kernel, other, name))}
    untold = {name for launch in launches for name in _untold(launch)}
    fixed = {name for launch in launches for name, value in launch.args.items() if not isinstance(value, str)}
    names = {param.name for kernel, _ in (one, two) for param in kernel.params} - given - fixed
    return {name: value for name, value in found.sizes.items()
            if name.removeprefix(OF_B) in untold | names}


def _has(kernel: Kernel, launch: Launch, name: str) -> bool:
    """Whether a launch hangs on a value of some name."""
    return any(param.name == name for param in (*kernel.params, *launch.of_host))


def is_told_of_neither(one: Launched, two: Launched) -> bool:
    """Whether there are sizes of which the text tells of neither side."""
    return any(name in _untold(two[1]) for name in _untold(one[1]))


def related_sizes(picked: Mapping[str, int | float], one: Launched, two: Launched) -> tuple[str, ...]:
    """What makes the sizes the same on both sides of which the text tells of neither, as far as a difference picks them."""
    return tuple(f"{name} == {OF_B}{name}" for name in _untold(one[1]) if name in _untold(two[1]) and OF_B + name in picked)


def _untold(launch: Launch) -> tuple[str, ...]:
    """The sizes of a launch of which the text tells nothing."""
    missing = (f"{name}.{axis}" for name, sizes in (("blockDim", launch.block), ("gridDim", launch.grid))
               for axis, size in zip("xyz", sizes or (None, None, None), strict=True) if size is None)
    return tuple(dict.fromkeys((*launch.untold, *missing)))


def left_open(report: EquivReport, is_left: bool, picked: Mapping[str, int | float]) -> EquivReport:
    """A difference that is told with its condition, where the two are equal at other values, or nothing is known of those
    (`is_left`)."""
    is_equal = bool(report.one_size or report.suggested)
    if not picked or not (is_equal or is_left):
        return report
    told = " and ".join(f"{name} is {value}" for name, value in list(picked.items())[:MOST_NAMED])
    otherwise = "equal" if is_equal else "not decided"
    return _undecided(report, f"different if {told}, and {otherwise} at other values: the text does not tell which of them the "
                              "program passes; say it (--arg, --require)")


def at_perhaps(report: EquivReport, one: Launched, two: Launched) -> EquivReport:
    """A difference at numbers with which a loop of the host may end, and may not, is told with its condition."""
    perhaps = dict((*one[1].perhaps, *two[1].perhaps))
    if report.verdict is not EquivVerdict.DIFFERENT or not perhaps:
        return report
    told = " and ".join(f"{name} is {value}" for name, value in list(perhaps.items())[:MOST_NAMED])
    return _undecided(report, f"different if {told}: the text does not tell whether a loop of the program ends so; say what it "
                              "launches (--block, --grid)")


def beyond_launches(report: EquivReport) -> EquivReport:
    """The report on all sizes of a pair whose launches do not belong together: a race or a difference elsewhere is none of the
    program."""
    if report.verdict not in (EquivVerdict.DIFFERENT, EquivVerdict.NONDETERMINISTIC):
        return report
    found = report.reason or "they differ at the sizes below"
    return _undecided(report, "the program launches the two with unlike arguments; say one launch for both (--block, --grid, "
                              f"--arg). At sizes that it does not launch: {found}")


def _undecided(report: EquivReport, reason: str) -> EquivReport:
    """A report of which nothing is decided any more, for a reason."""
    outputs = {name: (EquivVerdict.UNKNOWN, None) for name in report.outputs}
    return replace(report, verdict=EquivVerdict.UNKNOWN, outputs=outputs, reason=reason)
