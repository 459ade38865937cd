"""What to type next where a comparison has not settled a pair, or found it different only where nobody may launch it.

In: an answer. Out: a command and what it would bring, or nothing where the pair is settled. The flags that were given stay.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from automata.lang.core import Kernel
from automata.place import InputError
from equivalence.result import WRAPS, EquivVerdict
from spmd.asked import PairAnswer, PairQuestion, Question
from spmd.counts import counted
from spmd.report.flags import (
    alias_flags,
    higher_limits,
    launch_flags,
    limit_flags,
    of_flags,
    require_flags,
    size_flags,
    source_flags,
)
from spmd.report.following import (
    GRID,
    HEADER,
    LONGER,
    MACRO,
    MORE_WORK,
    NUMBER,
    SIZES,
    TEMPLATE,
    TIME,
    TOOLKIT,
    WHICH,
    explanation,
    macro_flags,
    macro_told,
)

SOUGHT = "no launch is known: looks for a requirement under which they are equal"
AT_YOURS = "no launch is known: at one that your program makes; --block-b and --grid-b are b's own"
SAME_GRID = "both sides were given one grid: state each, or relate them (--require 'gridDim.x == 2*b.gridDim.x')"
WEAKER = {"bitwise": "int", "int": "real"}
"""The next weaker class of equality that `--mode` accepts."""


def next_step_of_pair(answer: PairAnswer) -> str | None:
    """A command to paste and why; None for a pair that is settled."""
    steps = chain(_as_suggested(answer), _above_zero(answer), _at_one_size(answer), _steps(answer))
    return next(steps, explanation(answer.report.verdict.value))


def _as_suggested(answer: PairAnswer) -> Iterator[str]:
    """The requirement under which a search found the pair equal."""
    report = answer.report
    if report.suggested and not report.suggested_at:
        yield _command(answer, "--require", report.suggested, what="equal with this: does your program keep to it?")


def _above_zero(answer: PairAnswer) -> Iterator[str]:
    """Sizes above zero, where the difference that is shown needs one that is not, or where one below zero makes an
    integer wrap."""
    report, names = answer.report, list[str]()
    if report.verdict is EquivVerdict.DIFFERENT and report.counterexample is not None:
        names = [name for name, value in report.counterexample.sizes.items() if value <= 0]
    elif report.verdict is EquivVerdict.UNKNOWN and WRAPS in (report.reason or ""):
        sides = ((answer.question.a, answer.launch_a), (answer.question.b, answer.launch_b))
        names = sorted({name for side, launch in sides for kernel in _kernels(side) for name in counted(kernel, launch)})
    open_ones = _open(answer) if names else []
    if found := [name for name in names if name in open_ones]:
        flags = require_flags(f"{name} > 0" for name in found)
        yield _command(answer, *flags, what=f"this hangs on {found[0]} <= 0, as far as is seen: does it hold above?")


def _at_one_size(answer: PairAnswer) -> Iterator[str]:
    """Numbers for open arguments at which the pair is equal."""
    if answer.report.one_size:
        flags = [word for name, value in answer.report.one_size.items() for word in ("--arg", f"{name}={value}")]
        yield _command(answer, *flags, what="at one size, where they are equal: this, or your own")


def _steps(answer: PairAnswer) -> Iterator[str]:
    report, reason, question = answer.report, answer.report.reason or "", answer.question
    is_open = not (answer.launch_a.is_stated or answer.launch_b.is_stated)
    match report.verdict:
        case EquivVerdict.UNSUPPORTED | EquivVerdict.INVALID:
            yield from _read(answer, reason)
        case EquivVerdict.UNKNOWN:
            if "does not accept" in reason and question.mode in WEAKER:
                yield _command(answer, "--mode", WEAKER[question.mode], what="accepts a weaker equality")
            if is_open:
                yield _command(answer, *_launch(answer), what="at a launch that your program makes, where data may be followed")
            yield from _more(answer, reason)
            if question.certify:
                yield _command(answer, what="at random points, with the bound of an error", without="--certify")
        case EquivVerdict.NONDETERMINISTIC:
            yield from _where_one_is_refuted(answer, is_open)
        case EquivVerdict.DIFFERENT:
            if is_open and not report.suggested and not question.relations:
                yield (_command(answer, *_launch(answer), what=AT_YOURS) if question.suggest else
                       _command(answer, "--suggest", what=SOUGHT))
            elif answer.launch_a.grid is None and answer.launch_b.grid is None and not question.relations:
                yield _command(answer, "--grid", str(GRID), "--grid-b", str(GRID), *_numbers(answer), what=SAME_GRID)


def _more(answer: PairAnswer, reason: str) -> Iterator[str]:
    """More time, or more work than the limits allow, where those were reached."""
    seconds = answer.question.a.seconds
    if any(text in reason for text in TIME) and seconds:
        yield _command(answer, "--timeout", f"{seconds * LONGER:g}", what="gives it more time")
    if answer.report.limits:
        yield _command(answer, *higher_limits(answer.report.limits), what=MORE_WORK)


def _where_one_is_refuted(answer: PairAnswer, is_open: bool) -> Iterator[str]:
    """What the refuted side needs, where it reaches outside an array at sizes that nothing fixes; else a launch."""
    report = answer.report
    found = report.reports[report.side].findings if report.side is not None and report.side in report.reports else ()
    if any(finding.rule == "out-of-bounds" and finding.sizes for finding in found):
        side, kernel = ((answer.question.a, answer.kernel_a) if report.side == "a" else (answer.question.b, answer.kernel_b))
        words = ["check", side.source.file, "--kernel", str(kernel), *launch_flags(side), *source_flags(side), "--suggest"]
        yield f"{shlex.join(['spmd', *words])}   (looks for requirements under which it is proved; give them here, too)"
    if is_open:
        yield _command(answer, *_launch(answer), what=AT_YOURS)


def _read(answer: PairAnswer, reason: str) -> Iterator[str]:
    """Where a side could not be read: its template's arguments, or the folder of a header."""
    if (asked := TEMPLATE.search(reason) or WHICH.search(reason)) and answer.report.side in ("a", "b"):
        yield _command(answer, what="with the arguments that your program has", **{answer.report.side: asked[1]})
    if macro := MACRO.search(reason.partition(": ")[2] or reason):
        yield _command(answer, *macro_flags(answer.question.a, macro[1]), what=macro_told(answer.question.a, macro[1]))
    if (header := HEADER.search(reason)) and not TOOLKIT.match(header[1]):
        yield _command(answer, "-I", "FOLDER", what=f"with the folder that holds {header[1]}")


def _launch(answer: PairAnswer) -> list[str]:
    """The flags of a launch, with a number for each integer parameter that nothing states."""
    return [word for flag, number in SIZES for word in (flag, str(number))] + _numbers(answer)


def _numbers(answer: PairAnswer) -> list[str]:
    """A number for each integer parameter that nothing states."""
    return [word for name in _open(answer) for word in ("--arg", f"{name}={NUMBER}")]


def _open(answer: PairAnswer) -> list[str]:
    """The integer parameters that nothing states."""
    given = {**answer.launch_a.args, **answer.launch_b.args}
    kernels = (kernel for side in (answer.question.a, answer.question.b) for kernel in _kernels(side))
    names = dict.fromkeys(param.name for kernel in kernels for param in kernel.params if param.type.is_int)
    return [name for name in names if name.isidentifier() and name not in given]


def _kernels(side: Question) -> Iterator[Kernel]:
    with suppress(InputError):
        for item in side.source.kernels():
            yield item.read()


def _command(answer: PairAnswer, *flags: str, what: str, without: str = "", a: str | None = None, b: str | None = None) -> str:
    question = answer.question
    sides = [_side([question.a, *question.after_a], a), _side([question.b, *question.after_b], b)]
    kept = [*launch_flags(question.a), *_own(question.a, question.b), *_of_pair(question),
            *([] if "--limit" in flags else limit_flags(question.a)),
            *(["--mode", question.mode] if question.mode != "real" and "--mode" not in flags else []),
            *(["--certify"] if question.certify and without != "--certify" else [])]
    return f"{shlex.join(['spmd', 'equiv', *sides, *kept, *flags])}   ({what})"


def _side(parts: list[Question], kernel: str | None) -> str:
    names = [part.source.kernel for part in parts] if kernel is None else [kernel]
    named = ";".join(name for name in names if name)
    return parts[0].source.file + (f":{named}" if named else "")


def _own(a: Question, b: Question) -> list[str]:
    """The flags of b's own sizes, where they are others than a's."""
    ours, theirs = of_flags(a), of_flags(b)
    pairs = [("--block-b", ours.block, theirs.block), ("--grid-b", ours.grid, theirs.grid)]
    return [word for flag, one, two in pairs if one != two for word in size_flags(flag, two)]


def _of_pair(question: PairQuestion) -> list[str]:
    """What is said of both sides: buffers that are one, names, outputs, relations, how the text is read."""
    rows = [*(("--map", f"{name}={other}") for name, other in question.names.items()),
            *(("--output", name) for name in question.outputs), *(("--relate", text) for text in question.relations)]
    return [*alias_flags(question.a), *(word for row in rows for word in row), *source_flags(question.a)]
