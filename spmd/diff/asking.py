"""The questions about one pair of kernels, and what they come to.

In: a pair and both folders. Out, one after another: the records of `check` on the new kernel and of `equiv` of the old against
the new, each with its text. Where the new kernel is not proved, or the two cannot be compared, the old one is checked too, for a
reviewer wants to know which defects the change brought and which it mends. Launches are those of both sides: a comment's, else
the program's, each new one against the old one in its place. Places are told as the repository has them: `src/k.cu:12:3` is in
the new revision, `main:src/k.cu:12:3` in the old one.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from automata.budget import METER
from automata.lang.launch import Launch
from automata.verdict import one_a_defect
from equivalence.result import EquivVerdict
from spmd.asked import Answer, PairAnswer, PairQuestion, Question, Source
from spmd.diff.export import Exported
from spmd.diff.matching import Key, Pair
from spmd.diff.outcome import Options, Part
from spmd.diff.paths import Paths
from spmd.diff.read import Read
from spmd.diff.settings import settings_of
from spmd.pair_pipeline import run_equiv
from spmd.pipeline import run_check
from spmd.records.pair import pair_record
from spmd.records.result import check_record, finding_record
from spmd.report.pair_text import pair_text
from spmd.report.text import check_text
from spmd.settings.apply import with_settings
from spmd.settings.effective import settings_for
from spmd.settings.pairs import pair_questions

MOST_LAUNCHES = 8
UNCOMPARED = ("nondeterministic", "unknown")
STATE = "if it runs in certain sizes alone, state them above the kernel (// spmd: block=256 grid=(n+255)/256) or in spmd.toml"


def ask(pair: Pair, old: Exported, new: Exported, options: Options) -> Iterator[Part]:
    """All answers about a pair, told in the repository's own paths."""
    os.chdir(new.root)
    lacked = METER.lacked
    paths = Paths(old, new)
    for part in (_asked if pair.configured is None else _configured)(pair, old, new, options):
        yield replace(part, record=paths.value(part.record), text=paths.text(part.text), is_cut=METER.lacked != lacked,
                      besides=tuple(paths.value(part.besides)))


def _configured(pair: Pair, old: Exported, new: Exported, options: Options) -> Iterator[Part]:
    """A pair of the settings. Kernels are as they are now; those that are gone, as they were: so a kernel that was split,
    or several that were fused, are compared with what took their place."""
    settings = settings_for(new.root, new.root)
    for at, (_, question) in enumerate(pair_questions(settings, options.seconds, options.given, new.root, options.mode)):
        if at == pair.configured:
            back = partial(_as_it_was, pair.gone, old, new, options)
            question = replace(question, a=back(question.a), b=back(question.b), after_a=tuple(map(back, question.after_a)),
                               after_b=tuple(map(back, question.after_b)))
            yield _compared_part(run_equiv(question), options)


def _as_it_was(gone: frozenset[Key], old: Exported, new: Exported, options: Options, part: Question) -> Question:
    """The same question of the old revision, if only that has the kernel."""
    name = new.name(os.path.join(new.root, part.source.file)) or part.source.file
    if (name, part.source.kernel) not in gone:
        return part
    part = replace(part, source=Source(old.path(name), part.source.kernel, project=old.root))
    return with_settings(part, settings_of(old, new, name), options.given)


def _asked(pair: Pair, old: Exported, new: Exported, options: Options) -> Iterator[Part]:
    if pair.new is None or pair.new.name is None or pair.is_same:
        return
    checks = list(_checked(pair.new, new, new, options, "check"))
    yield from checks
    if pair.old is None:
        return
    is_asked = any(part.record["verdict"] != "proved" for part in checks)
    if is_asked and pair.old.core:
        yield from _checked(pair.old, old, new, options, "before")
    if not options.checks_alone and pair.old.core and pair.new.core:
        compared = [_compared_part(answer, options) for answer in _comparisons(pair.old, pair.new, (old, new), options)]
        yield from compared
        if not is_asked and any(part.record["verdict"] in UNCOMPARED for part in compared):
            yield from _checked(pair.old, old, new, options, "before")


def _compared_part(answer: PairAnswer, options: Options) -> Part:
    """The answer of a comparison. No command compares with a revision that lies in no folder: what to state is told instead."""
    record = _pictured(pair_record(answer), answer, options)
    lines = pair_text(answer, record).splitlines(keepends=True)
    if record.pop("next", None):
        del lines[-1]
        if not (answer.launch_a.is_stated or answer.launch_b.is_stated):
            lines.append(f"  next: {STATE}\n")
    return Part("equiv", record, "".join(lines))


def _checked(read: Read, side: Exported, new: Exported, options: Options, kind: str) -> Iterator[Part]:
    question = _question(read, side, new, options)
    for answer in run_check(question):
        record = _pictured(check_record(answer), answer, options)
        text, folder = check_text(answer, record), f" --project {shlex.quote(side.root)}"
        if "next" in record:
            record["next"], text = record["next"].replace(folder, ""), text.replace(folder, "")
        besides = tuple(map(finding_record, one_a_defect(answer.report.besides)))
        yield Part(kind, record, text, besides=besides, complete=frozenset(name.value for name in answer.report.complete))


def _pictured(record: dict[str, Any], answer: Answer | PairAnswer, options: Options) -> dict[str, Any]:
    if not options.pictured:
        return record
    from spmd.report.pictures import with_pictures

    return with_pictures(record, answer)


def _question(read: Read, side: Exported, new: Exported, options: Options, launch: Launch | None = None) -> Question:
    """A kernel of a revision, under its settings."""
    source = Source(side.path(read.unit), read.name, project=side.root)
    question = Question(source, launch and replace(launch, is_of_kernel=True), strict=options.strict, seconds=options.seconds)
    return with_settings(question, settings_of(side, new, read.unit), options.given)


def launch_pairs(old: Read, new: Read) -> list[tuple[Launch | None, Launch | None]]:
    """At which launches two kernels are compared; None: as the file says, else all sizes."""
    one: list[Launch | None] = list(old.launches) or [None]
    two: list[Launch | None] = list(new.launches) or [None]
    count = max(len(one), len(two))
    pairs = [(one[min(at, len(one) - 1)], two[min(at, len(two) - 1)]) for at in range(count)]
    return [pair for at, pair in enumerate(pairs) if pair not in pairs[:at]][:MOST_LAUNCHES]


def _comparisons(old: Read, new: Read, sides: tuple[Exported, Exported], options: Options) -> Iterator[PairAnswer]:
    """The answers at all launches. Where both sides are launched alike and a launch leaves it open, all sizes may be easier."""
    every: PairAnswer | None = None
    for launches in launch_pairs(old, new):
        answer = _compared(old, new, sides, launches, options)
        if answer.report.verdict is EquivVerdict.UNKNOWN and old.is_launched_as(new) and launches != (None, None):
            every = every or _compared(old, new, sides, (None, None), options)
            answer = every if every.report.verdict is EquivVerdict.EQUAL else answer
        yield answer


def _compared(old: Read, new: Read, sides: tuple[Exported, Exported], launches: tuple[Launch | None, Launch | None],
              options: Options) -> PairAnswer:
    questions = [_question(read, side, sides[1], options, launch)
                 for read, side, launch in zip((old, new), sides, launches, strict=True)]
    names = renamed(old.order, new.order)
    answer = run_equiv(PairQuestion(questions[0], questions[1], names, mode=options.mode))
    if names:
        told = ", ".join(f"{one} is {two}" for one, two in names.items())
        assumed = (*answer.report.assumptions, f"parameters were renamed: {told}")
        return replace(answer, report=replace(answer.report, assumptions=assumed))
    return answer


def renamed(old: tuple[str, ...], new: tuple[str, ...]) -> dict[str, str]:
    """Parameters that have another name now: those that only one side has, one after another, if both have as many."""
    one, two = [name for name in old if name not in new], [name for name in new if name not in old]
    return dict(zip(one, two, strict=True)) if len(one) == len(two) else {}

