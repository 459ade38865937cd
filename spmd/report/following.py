"""What to type next where a check has not settled a kernel: one command to paste.

In: an answer. Out: a command and what it would bring, or nothing where all is settled. The first that fits is told: a
template's arguments, the folder of a missing header, a launch, more time, requirements that would prove it, a run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from automata.limits import LOOP_NESTING
from automata.place import TIME_IS_UP
from automata.verdict import LEFT_OPEN, Status, Verdict, below_zero
from spmd.asked import Answer, Question
from spmd.report.build import macro_in_cmake
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

TEMPLATE = re.compile(r"for example ([\w:]+<[^>]*>)")
HEADER = re.compile(r"a header was not found: ([^,\s]+)")
TOOLKIT = re.compile(r"(?:mma|cuda\w*|cub|thrust|cooperative_groups|cute|cutlass|nv)\b")
WHICH = re.compile(r"say which one: ([^,]+<[^>]*>)")
MACRO = re.compile(r"(?:undeclared identifier |^)'([A-Z][A-Z0-9_]+)'(?: is not declared)?")
STATED = re.compile(r"state what they ask for, for example (-D [^;]*)")
TIME = (TIME_IS_UP, "its time is up")
LONGER = 5
MORE_WORK = "raises what work may take; --timeout holds all the same"
NOT_COVERED = "the proofs do not cover"
"""What more work does not help, but where a limit says how much is covered: loops inside each other."""
GRID = 4
SIZES = (("--block", 256), ("--grid", GRID))
SQUARE = 16
NUMBER = "1024"
NAME = re.compile(r"\b[A-Za-z_]\w*")


def next_step(answer: Answer) -> str | None:
    """A command to paste and why, for a verdict that settles nothing, or one that hangs on sizes which perhaps nobody uses; None
    for others."""
    if answer.report.verdict is Verdict.REFUTED:
        return next(_of_refuted(answer), None)
    if answer.report.verdict not in (Verdict.UNKNOWN, Verdict.UNSUPPORTED, Verdict.INVALID):
        return None
    return next(_steps(answer), explanation(answer.report.verdict.value))


def explanation(verdict: str) -> str | None:
    """Where nothing is left to try: the page that says what to state, or to change. `verdict`: of a kernel or of a pair."""
    is_open = verdict in (Verdict.UNKNOWN.value, Verdict.UNSUPPORTED.value)
    return f"spmd explain {verdict}   (what may be stated or changed)" if is_open else None


def _steps(answer: Answer) -> Iterator[str]:
    report, reason = answer.report, answer.report.reason or ""
    if asked := TEMPLATE.search(reason) or WHICH.search(reason):
        yield _command(answer, "--kernel", asked[1], what="with the arguments that your program has", kernel=False)
    if (header := HEADER.search(reason)) and not TOOLKIT.match(header[1]):
        yield _command(answer, "-I", "FOLDER", what=f"with the folder that holds {header[1]}; or --project with the project's")
    yield from _of_macros(answer, reason)
    if report.verdict is not Verdict.UNKNOWN:
        return
    if negative := below_zero(report.findings, Status.POTENTIAL):
        flags = require_flags(f"{name} >= 0" for name in negative)
        yield _command(answer, *flags, what=f"counterexamples were found at {negative[0]} < 0 only: does it hold above?")
    elif zero := _never_above(answer, Status.POTENTIAL):
        yield _above_zero(answer, zero)
    if _hangs_on_sizes(answer):
        yield _command(answer, *_launch(answer), what="with the numbers of your program; one run of it may speak of all data")
    yield from _more(answer)
    if not answer.launch.is_stated and answer.analysis is not None:
        yield _command(answer, *_launch(answer), what="at a launch that your program makes; one run of it may speak of all data")
    if not answer.question.suggest and any(finding.status is Status.POTENTIAL for finding in report.findings):
        yield _command(answer, "--suggest", what="looks for requirements under which it is proved")


def _of_macros(answer: Answer, reason: str) -> Iterator[str]:
    """A macro that a text needs, or a condition around its kernels."""
    if stated := STATED.search(reason):
        yield _command(answer, *stated[1].split(), what="as the build that has these kernels defines it")
    if macro := MACRO.search(reason):
        yield _command(answer, *macro_flags(answer.question, macro[1]), what=macro_told(answer.question, macro[1]))


def _more(answer: Answer) -> Iterator[str]:
    """More time, or more work than the limits allow, where those were reached."""
    report, reason = answer.report, answer.report.reason or ""
    if any(text in reason for text in TIME) or any(text in (finding.note or "") for finding in report.findings for text in TIME):
        limit = answer.question.seconds
        if limit:
            yield _command(answer, "--timeout", f"{limit * LONGER:g}", what="gives it more time")
    if report.limits and (NOT_COVERED not in reason or any(limit.name == LOOP_NESTING.name for limit in report.limits)):
        yield _command(answer, *higher_limits(report.limits), what=MORE_WORK)


def macro_flags(question: Question, macro: str) -> list[str]:
    """A macro that the build defines."""
    found = macro_in_cmake(question.source.file, question.source.root(), macro)
    return ["-D", f"{macro}={found[1] if found else 'VALUE'}"]


def macro_told(question: Question, macro: str) -> str:
    """Where its value is from."""
    found = macro_in_cmake(question.source.file, question.source.root(), macro)
    where = f"as {found[0]} says" if found else "as your build gives it"
    return f"{where}; all flags of a build are read from compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)"


def _of_refuted(answer: Answer) -> Iterator[str]:
    """What to ask where all counterexamples need a parameter that is not above zero, or sizes that nobody has stated."""
    found = [finding.sizes for finding in answer.report.findings if finding.status is Status.CONFIRMED]
    if below := _never_above(answer, Status.CONFIRMED):
        yield _above_zero(answer, below)
    elif found and all(found) and not answer.launch.is_stated and not answer.report.suggested:
        if not answer.question.suggest:
            yield _command(answer, "--suggest", what="no launch is known: looks for requirements under which it is proved")
        elif answer.analysis is not None:
            yield _command(answer, *_launch(answer), what="at a launch that your program makes: does it fail there?")


def _never_above(answer: Answer, status: Status) -> list[str]:
    """The parameters that are not above zero in any of the findings of a status."""
    found = [finding.sizes for finding in answer.report.findings if finding.status is status]
    parameters = [name for name in (found[0] if found else {}) if name.partition(".")[0] not in ("blockDim", "gridDim")]
    return [name for name in parameters if all(sizes.get(name, 1) <= 0 for sizes in found)]


def _above_zero(answer: Answer, names: list[str]) -> str:
    flags = require_flags(f"{name} > 0" for name in names)
    return _command(answer, *flags, what=f"counterexamples were found at {names[0]} <= 0 only: does it hold above?")


def _hangs_on_sizes(answer: Answer) -> bool:
    """Whether what was found at a launch of the program needs sizes or arguments that its text leaves open."""
    open_ones = [finding for finding in answer.report.findings if finding.status is Status.POTENTIAL and finding.sizes]
    is_open = answer.analysis is not None and answer.launch.is_stated and of_flags(answer.question).block is None
    return is_open and bool(open_ones) and any(
        text in (answer.report.reason or "") for text in LEFT_OPEN)


def _launch(answer: Answer) -> list[str]:
    """The flags of a launch: the numbers that are known of it, others for the rest, and for each integer parameter."""
    assert answer.analysis is not None
    words = list[str]()
    params = {param.name for param in answer.analysis.context.kernel.params}
    for (flag, number), sizes in zip(SIZES, (answer.launch.block, answer.launch.grid), strict=True):
        told = [size if isinstance(size, int) or (size is not None and params.issuperset(NAME.findall(size))) else None
                for size in sizes or (number, 1, 1)]
        other = number if flag == "--grid" or told[1:] == [1, 1] else SQUARE
        x, y, z = (other if size is None else size for size in told)
        words += size_flags(flag, (x, y, z))
    given = {**answer.launch.args, **of_flags(answer.question).args}
    names = [param.name for param in answer.analysis.context.kernel.params
             if param.type.is_int and all(part.isidentifier() for part in param.name.split("."))]
    values = {name: given.get(name, NUMBER) for name in names if name not in of_flags(answer.question).args}
    numbers = {name: value if _is_number(value) else NUMBER for name, value in values.items()}
    return words + [word for name, value in numbers.items() for word in ("--arg", f"{name}={value}")]


def _is_number(value: float | str) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.isdigit())


def _command(answer: Answer, *flags: str, what: str, kernel: bool = True) -> str:
    """`what`: that it brings. Flags that were given stay."""
    question = answer.question
    chosen = ["--kernel", answer.kernel] if kernel and answer.kernel else []
    kept = [*launch_flags(question), *alias_flags(question), *source_flags(question),
            *([] if "--limit" in flags else limit_flags(question)), *(["--strict"] if question.strict else []),
            *(["--project", question.source.project] if question.source.project else [])]
    return f"{shlex.join(['spmd', 'check', question.source.file, *chosen, *kept, *flags])}   ({what})"
