"""What a check does, from a file to records.

    text ─▶ preprocess ─▶ slices ─▶ Core ─▶ launch ─▶ lower ─▶ automaton ─▶ segments ─▶ footprint
         ─▶ wraps, convergence, interference, bounds, initialisation ─▶ replay ─▶ report
         ─▶ (two kernels) pairing ─▶ falsify ─▶ all sizes ─▶ report

The passes from `lower` to the report of one kernel are `automata.proof.determinism`; those of a pair are
`equivalence.compare`, which `spmd.pair_pipeline` asks. This module finds kernels and launches and hands them on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf

from automata import limits, passes
from automata.budget import METER, Budget, granted
from automata.lang.arrows import may_launch
from automata.lang.core import AXES, Kernel, Space
from automata.lang.demands import demands
from automata.lang.launch import Launch, find_comment, in_elements
from automata.lang.read import Found
from automata.lang.traverse import walk
from automata.logic import atom, poly, smt, terms
from automata.place import InputError, NotInstantiatedError, Place, UndecidedError, UnsupportedError
from automata.proof.known.context import known_numbers, prepare, sizes_read
from automata.proof.known.launch_limits import beyond_limits
from automata.proof.witness.analysis import Analysis
from automata.rewriting.lower import lower
from automata.rewriting.one_buffer import at_launch, of_one
from automata.scope import Scope
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.verdict import Finding, Report, Spot, Status, Verdict, one_a_defect
from spmd.asked import LEAST, Answer, Question, Source
from spmd.cache import questions
from spmd.cache.recall import Asked, answered, is_keeping, keep, recalled
from spmd.checked import checked
from spmd.collecting import as_ever
from spmd.pair_launches import fixed_by
from spmd.settings.apply import for_kernel, kernels_asked

FLAGS = "flags"
"""Where a launch was stated: on the command line."""
SEARCH = 20.0
"""Seconds to look for requirements."""
COUNTING = 0.1
"""Of what several kernels share, to see which are small."""
BUDGET_SPENT = "the budget of the whole call was spent before this kernel's turn; give a larger --budget, or --kernel"


def run_check(question: Question, *, skip: int = 0, tell: Callable[[str], None] = lambda kernel: None,
              pass_by: Callable[[str], None] = lambda why: None) -> Iterator[Answer]:
    """All records of one question: one per kernel; where it is not proved for all sizes, or for one thread alone, one per launch
    in the host's code, if there are any. `skip`: kernels to leave out at the start; `tell` hears of each that is begun. Templates
    that nothing instantiates are not code: beside other kernels they are passed by, and `pass_by` hears why."""
    began = time.monotonic()
    try:
        found = kernels_asked(question)
    except InputError as error:
        yield _refused(question, question.source.kernel, Launch(), error, began)
        return
    found = _smallest_first(found, question.call) if question.call.seconds is not None and len(found) > 1 else found
    idle, has_others = list[tuple[Found, NotInstantiatedError]](), skip > 0
    for item in found[skip:]:
        tell(item.name)
        try:
            for answer in (answer for each in for_kernel(question, item) for answer in _check_kernel(each, item)):
                answer.place = item.place
                yield _with_macros(answer)
            has_others = True
        except NotInstantiatedError as why:
            idle.append((item, why))
    for item, idleness in idle:
        if has_others and question.source.kernel is None:
            pass_by(str(idleness))
        else:
            yield _of_template(question, item, idleness)


def _with_macros(answer: Answer) -> Answer:
    """A refusal of a kernel that is asked for by its name, with what is found where macros that no text defines are picked."""
    report, question = answer.report, answer.question
    if report.verdict in (Verdict.INVALID, Verdict.UNSUPPORTED) and question.source.kernel and answer.kernel and report.reason:
        from spmd.picked import found_with_macros  # only where a kernel is refused

        answer.report = replace(report, findings=found_with_macros(question, answer.kernel, report.reason, _check_kernel))
    return answer


def _of_template(question: Question, item: Found, why: NotInstantiatedError) -> Answer:
    """The refusal of a template, with what is found in an instance that is picked."""
    from spmd.picked import found_in_picked  # only where there is such a template

    began = time.monotonic()
    findings = found_in_picked(question, why, _check_kernel)
    refused = _refused(question, item.name, Launch(), why, began)
    refused.report = replace(refused.report, findings=findings)
    refused.place = item.place
    return refused


def _smallest_first(found: list[Found], call: Budget) -> list[Found]:
    """Kernels by their statements: what several share is spent on the smallest first, so that it decides as many as it can. Those
    for which a part of it was not enough to count them come last."""
    with granted(Budget.of(max(LEAST, COUNTING * (call.seconds or 0.0)))):
        return sorted(found, key=_size)


def _size(item: Found) -> float:
    """Statements of a kernel; infinite where no time is left to count them."""
    try:
        return sum(1 for _ in walk(item.read().body))
    except UndecidedError:
        return inf
    except (InputError, RecursionError):
        return 0


class _UnreadError(Exception):
    """A kernel that is not read in the time that is granted, with the report of that."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.reason)
        self.report = report


def _read(question: Question, item: Found) -> Kernel:
    """The kernel as Core, read within the limit of the question."""
    try:
        with granted(Budget.of(question.limit())):
            return item.read()
    except UndecidedError as error:
        reason = f"{error.message} while the kernel is read ({error.place})"
        raise _UnreadError(Report(Verdict.UNKNOWN, item.name, reason=reason)) from error


def _check_kernel(question: Question, item: Found) -> Iterator[Answer]:
    forget()
    began, lacked = time.monotonic(), METER.lacked
    launch = Launch()
    if question.call.is_spent:
        yield Answer(question, item.name, launch, Report(Verdict.UNKNOWN, item.name, reason=BUDGET_SPENT), 0.0)
        return
    try:
        kernel = _read(question, item)
        launch = choose_launch(question, item, kernel)
        kernel = at_launch(kernel, launch, strict=question.strict)
        if kept := _recalled(question, item, kernel, launch, began):
            yield from kept
            return
        answer = _answer(question, kernel, launch, began)
    except NotInstantiatedError:
        raise
    except _UnreadError as error:
        yield Answer(question, item.name, launch, error.report, time.monotonic() - began)
        return
    except InputError as error:
        yield _refused(question, item.name, launch, error, began)
        return
    except RecursionError:
        deep = UnsupportedError("expressions nested too deeply", item.place)
        yield _refused(question, item.name, launch, deep, began)
        return
    yield from _with_launches(question, item, kernel, launch, answer, lacked)


def _with_launches(question: Question, item: Found, kernel: Kernel, launch: Launch, answer: Answer,
                   lacked: int) -> Iterator[Answer]:
    """The answer for all sizes, or those at the launches of the program, if these decide. `lacked`: how often memory had run out
    before the kernel's turn."""
    stated = _deciding(question, item, kernel, launch, answer)
    launched = [_at_host(question, item, kernel, launch, each) for each in stated]
    launched = [each for each in launched
                if not each.launch.is_vague or each.launch.aliases or each.report.verdict is Verdict.PROVED]
    if _is_settled(answer) and all(_is_settled(each) for each in launched):
        told = [f"where the program passes one buffer for {', '.join(group)} ({each.launch.source}) it is proved as well"
                for each in launched for group in each.launch.aliases]
        told += dict.fromkeys(text for each in launched for text in each.launch.assumes)
        answer.report = replace(answer.report, assumptions=(*answer.report.assumptions, *told))
        launched = []
    are_heard = any(each.report.verdict not in (Verdict.INVALID, Verdict.UNSUPPORTED) for each in launched)
    if question.all_sizes or not are_heard:
        if not (are_heard or _is_settled(answer) or launch.is_stated or question.launch is not None):
            answer.unlaunched = _why_unlaunched(item, question.source.project)
        yield answer
    for each in launched:
        each.beyond = None if question.all_sizes or not are_heard else answer.report
    if launched and are_heard and not (question.all_sizes or question.suggest or _is_settled(answer)):
        found = tuple((each.launch, each.report) for each in launched)
        longest = max(each.seconds for each in launched)
        keep(_at_launches(question, kernel, launch, stated), (answer.report, found), longest, lacked)
    yield from _with_what_is_open(launched, item, question.source.project)


def _with_what_is_open(launched: list[Answer], item: Found, project: str | None) -> list[Answer]:
    """The answers at launches of the program. Those that are open, at sizes that the text does not tell, say what hides them."""
    left = [each for each in launched if each.launch.is_open and not _is_settled(each)]
    why = _why_unlaunched(item, project) if left else ""
    for each in left:
        each.unlaunched = why
    return launched


def _deciding(question: Question, item: Found, kernel: Kernel, launch: Launch, answer: Answer) -> list[Launch]:
    """The launches of the program that decide beside all sizes: where those are not proved, and where they are proved for buffers
    that do not overlap and one row of what is never read, those that pass one buffer twice or have more rows."""
    if launch.is_stated or question.launch is not None:
        return []
    stated = launches_in_host(item, kernel, question.source.project)
    return [each for each in stated if each.aliases or _has_more(kernel, each)] if _is_settled(answer) else stated


def _has_more(kernel: Kernel, launch: Launch) -> bool:
    """Whether a launch has more than one of something that the kernel never reads, where all sizes are about one."""
    read = sizes_read(kernel)
    stated = (("blockDim", launch.block), ("gridDim", launch.grid))
    return any(size != 1 and f"{name}.{axis}" not in read for name, sizes in stated
               for axis, size in zip(AXES, sizes or (), strict=False))


def _at_host(question: Question, item: Found, kernel: Kernel, launch: Launch, stated: Launch) -> Answer:
    """The answer for a launch in the host's code, under what the file requires besides."""
    began = time.monotonic()
    try:
        kernel, stated = at_launch(kernel, stated, strict=question.strict), stated.filled
        at_host = with_extents(question, kernel, replace(stated, requires=(*launch.requires, *stated.requires)))
        return _as_launched(_answer(question, kernel, at_host, began), kernel)
    except InputError as error:
        refused = _refused(question, item.name, stated, error, began)
        if stated.aliases:  # what holds where they do not overlap says nothing of this launch
            refused.report = replace(refused.report, verdict=Verdict.UNKNOWN)
        return refused


def _as_launched(answer: Answer, kernel: Kernel) -> Answer:
    """The answer for a launch of the host, its scope naming every size and argument that the launch fixes."""
    launch, report = answer.launch, answer.report
    answer.report = replace(report, scope=report.scope and report.scope.launched(launch.source, fixed_by(launch)),
                            assumptions=(*report.assumptions, *launch.assumes))
    if report.verdict is Verdict.REFUTED:
        from spmd.open_values import leave_open

        limit = answer.question.limit()
        answer.report = leave_open(answer.report, kernel, launch, None if limit is None else limit - answer.seconds)
    return answer


def _is_settled(answer: Answer) -> bool:
    """Whether it is proved, and for more than one thread."""
    return answer.report.verdict is Verdict.PROVED and not _is_of_one_thread(answer.report.scope)


def _is_of_one_thread(scope: Scope | None) -> bool:
    return scope is not None and scope.kind == "one thread"


def forget() -> None:
    """Drop what the last kernel left in the shared pools."""
    as_ever()
    passes.forget()
    terms.clear()
    poly.clear()
    atom.clear()
    smt.reset()


def _answer(question: Question, kernel: Kernel, launch: Launch, began: float) -> Answer:
    """The answer within the limits that are asked for."""
    with limits.using(dict(question.limits)):
        return _answered(question, kernel, launch, began)


def _answered(question: Question, kernel: Kernel, launch: Launch, began: float) -> Answer:
    """What the proofs say, and what they leave open, runs."""
    report, analysis = _found(question, kernel, launch)
    suggested = report.suggested
    if question.suggest and report.verdict in (Verdict.UNKNOWN, Verdict.REFUTED):
        from automata.proof.preconditions import find_preconditions

        suggested = find_preconditions(kernel, launch, report, strict=question.strict, seconds=SEARCH)
    findings = one_a_defect(report.findings)
    if beyond := beyond_limits(kernel, launch):
        findings = (Finding("launch-limit", Status.BENIGN, f"{beyond}: no CUDA device starts this launch",
                            (Spot(kernel.place, "launched"),)), *findings)
    report = replace(report, findings=findings, suggested=suggested, assumptions=(*report.assumptions, *question.assumes))
    return Answer(question, kernel.name, launch, report, time.monotonic() - began, analysis)


def _found(question: Question, kernel: Kernel, launch: Launch) -> tuple[Report, Analysis | None]:
    """A report from before, or a new one and what it was made from."""
    made: list[Analysis | None] = [None]

    def make() -> Report:
        report, made[0] = checked(kernel, launch, question.strict, Budget.of(question.limit()))
        return replace(report, limits=limits.met()) if report.verdict is Verdict.UNKNOWN else report

    asked = questions.check(kernel, launch, question)
    return answered(asked, make), made[0]


def _recalled(question: Question, item: Found, kernel: Kernel, launch: Launch, began: float) -> list[Answer]:
    """The answers from before at the launches of the program, where they decide; none where they do not, or have to be found."""
    if not is_keeping() or launch.is_stated or question.launch is not None or question.all_sizes or question.suggest:
        return []
    whole = recalled(questions.check(kernel, launch, question))
    if whole is not None and whole.verdict is Verdict.PROVED and not _is_of_one_thread(whole.scope):
        return []
    kept = recalled(_at_launches(question, kernel, launch, launches_in_host(item, kernel, question.source.project)))
    if kept is None:
        return []
    return _with_what_is_open([Answer(question, item.name, at, report, time.monotonic() - began, beyond=kept[0])
                               for at, report in kept[1]], item, question.source.project)


def _at_launches(question: Question, kernel: Kernel, launch: Launch, stated: list[Launch]) -> Asked[questions.AtLaunches]:
    return questions.at_launches(kernel, launch, stated, question)


def _refused(question: Question, kernel: str | None, launch: Launch, error: InputError, began: float) -> Answer:
    verdict = Verdict.UNSUPPORTED if isinstance(error, UnsupportedError) else Verdict.INVALID
    report = Report(verdict, kernel, reason=error.message, reason_place=error.place if error.place.file else None)
    return Answer(question, kernel, launch, report, time.monotonic() - began)


def choose_launch(question: Question, item: Found, kernel: Kernel) -> Launch:
    """The launch asked for: a record or flags, completed by the comment above the kernel."""
    stated = find_comment(item.original, item.path, kernel.place.line) or question.configured or Launch()
    launch = stated if question.launch is None else question.launch
    if launch.source == FLAGS and not launch.is_stated:
        launch = replace(stated, args={**stated.args, **launch.args}, extents={**stated.extents, **launch.extents})
    args = dict(launch.args)
    slots = list(dict.fromkeys(param.name.partition(".")[0] for param in kernel.params))
    if len(question.scalars) > len(slots):
        raise InputError(f"{len(question.scalars)} scalars are given, kernel '{kernel.name}' has {len(slots)}")
    names = {param.name for param in kernel.params}
    for slot, value in zip(slots, question.scalars, strict=False):
        if value is not None and slot not in names:
            fields = ", ".join(name for name in sorted(names) if name.startswith(slot + "."))
            raise InputError(f"the scalar given for '{slot}' of kernel '{kernel.name}' is a structure: give {fields} in 'args'")
        if value is not None:
            args[slot] = value
    own = demands(item.original, item.name, item.place)
    if refused := own.refused(launch.block):
        raise InputError(refused, kernel.place)
    demanded = (text for text in own.requirements(sizes_read(kernel)) if text not in launch.requires)
    return with_extents(question, kernel, replace(launch, args=args, requires=(*launch.requires, *demanded, *question.requires),
                                                  aliases=(*launch.aliases, *question.aliases)))


def launches_of(question: Question, item: Found, kernel: Kernel) -> tuple[Launch, list[Launch]]:
    """The launch that is asked for, with what the file states besides; and where neither says sizes, those of the program."""
    launch = choose_launch(question, item, kernel)
    is_said = launch.is_stated or question.launch is not None
    stated = [] if is_said else launches_in_host(item, kernel, question.source.project)
    return launch, [each for each in stated if not each.is_vague]


def with_extents(question: Question, kernel: Kernel, launch: Launch) -> Launch:
    """The launch with extents in elements of Core's arrays; the one dynamic shared array has the bytes that are stated."""
    extents = in_elements(launch.extents, kernel)
    dynamic = [array for array in kernel.arrays if array.dims == (None,) and array.space is Space.SHARED
               and array.name not in kernel.order]
    stated = question.shared_bytes if question.shared_bytes is not None else launch.shared_bytes
    if stated is not None and len(dynamic) == 1:
        extents[dynamic[0].name] = stated // dynamic[0].element.bytes
    return of_one(kernel, replace(launch, extents=extents))


def launches_in_host(item: Found, kernel: Kernel, project: str | None) -> list[Launch]:
    """The launches of a kernel in the host code that is read with it, else in the project's files that launch it; those whose
    sizes are told, if there are any. Host code that cannot be preprocessed has none."""
    vague: list[Launch] = []
    try:
        for text in filter(lambda each: may_launch(each.text), item.hosts()):
            from automata.lang.host import host_launches, launches_named  # only where something is launched

            found = [launch.of(kernel) for launch in launches_named(
                item.name, host_launches(text, project, item.beside), item.spelled)]
            if any(not launch.is_vague for launch in found):
                return [launch for launch in found if not launch.is_vague]
            vague = vague or found
    except InputError:
        pass
    return vague


def _why_unlaunched(item: Found, project: str | None) -> str:
    """What hides the sizes of a kernel's launches; nothing where no text near it launches it."""
    from automata.lang.host.unread import why_unread  # only where a launch is missed

    stem = item.name.partition("<")[0].partition("(")[0].rpartition("::")[2]
    try:
        return next(filter(None, (why_unread(text, stem, project, item.beside) for text in item.hosts())), "")
    except InputError as error:
        return str(error)


def automata_of(question: Question) -> list[Automaton]:
    """The thread automata of the kernels asked for, at the launch that decides how loops unroll."""
    found = []
    for item in question.source.kernels():
        kernel = item.read()
        context = prepare(kernel, choose_launch(question, item, kernel))
        found.append(build(lower(kernel, known_numbers(context))))
    return found


def only(found: list[Found], source: Source) -> Found:
    if len(found) > 1:
        names = ", ".join(item.name for item in found)
        raise InputError(f"several kernels here ({names}): name one as {source.file}:KERNEL", Place(source.file, 0, 0))
    return found[0]
