"""Settings put into questions: what a file says where the command line says nothing.

In: a question as the command line states it. Out: the same with the settings of its file's project; and for one kernel of it,
the questions that its launches make. A launch on the command line or in a comment replaces those of the file.
"""

from __future__ import annotations

import os
from dataclasses import replace

from automata import limits
from automata.lang.launch import find_comment
from automata.lang.read import Found
from automata.place import InputError
from spmd.asked import PairQuestion, Question, Source
from spmd.settings.effective import Settings, settings_for


def settled(question: Question, given: frozenset[str] = frozenset()) -> Question:
    """A question with the settings for its file. `given`: options that the command line states. What has no folder or project is
    asked as it is: the answer says what is wrong."""
    source = question.source
    try:
        source.root()
    except InputError:
        return question
    if not os.path.isdir(os.path.dirname(source.file) or "."):
        return question
    return with_settings(question, settings_for(source.file, source.project), given)


def with_settings(question: Question, settings: Settings, given: frozenset[str] = frozenset()) -> Question:
    if settings.file is None:
        return question
    source = question.source
    source = replace(source, defines={**settings.defines(), **source.defines}, includes=(*source.includes, *settings.includes()),
                     arch=source.arch or settings.whole("arch").value)
    stated = limits.checked(settings.whole("limits").value or {})
    return replace(question, source=source, settings=settings, given=given,
                   limits=tuple({**stated, **dict(question.limits)}.items()))


def kernels_asked(question: Question) -> list[Found]:
    """The kernels of a question's file; of templates, the instantiations that settings name. InputError when there is none."""
    found = question.source.kernels()
    if question.is_own:
        home = os.path.realpath(question.source.file)
        found = [item for item in found if os.path.realpath(item.place.file) == home]
    if question.settings.file is None or "<" in (question.source.kernel or ""):
        return found
    result: list[Found] = []
    for item in found:
        stem = item.name.partition("<")[0]
        wanted = question.settings.instances(item.path, stem)
        if not wanted or (item.name == stem and not _is_template(question.source, stem, wanted[0])):
            result.append(item)
            continue
        known = {each.name.replace(" ", "") for each in result}
        for arguments in wanted:
            name = f"{stem}<{arguments}>"
            if name.replace(" ", "") not in known:
                result += replace(question.source, kernel=name).kernels()
    return result


def _is_template(source: Source, stem: str, arguments: str) -> bool:
    try:
        replace(source, kernel=f"{stem}<{arguments}>").kernels()
    except InputError:
        return False
    return True


def for_kernel(question: Question, item: Found) -> list[Question]:
    """The questions about one kernel: one for each launch that settings state, else one."""
    settings = question.settings
    if settings.file is None:
        return [question]
    strict, timeout = (settings.of(item.path, item.name, name).value for name in ("strict", "timeout"))
    question = replace(question, strict=question.strict if "strict" in question.given else bool(strict),
                       seconds=question.seconds if "timeout" in question.given else float(timeout))
    if question.launch is not None or find_comment(item.original, item.path, item.place.line) is not None:
        return [question]
    return [replace(question, configured=launch) for launch in settings.launches(item.path, item.name)] or [question]


def for_pair(question: PairQuestion, a: Found) -> PairQuestion:
    """A comparison as settings of its first kernel want it."""
    settings = question.a.settings
    if settings.file is None:
        return question
    mode, outputs = (settings.of(a.path, a.name, name).value for name in ("mode", "outputs"))
    return replace(question, mode=question.mode if "mode" in question.a.given else str(mode),
                   outputs=question.outputs or tuple(outputs or ()))
