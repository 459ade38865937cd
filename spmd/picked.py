"""A kernel template of which no text says an instance, looked at in one that is picked; a kernel that needs macros which no text
defines, looked at with values that are picked.

In: the refusal, which names an example of an instance (`k<float, 32>`), and who checks a kernel. Out: what is found in the first
example that can be read, with `float` or else `int` for each type, in blocks of as many threads as an argument says. It
decides nothing: the verdict stays that arguments have to be said, and each finding is potential, with the instance in its note.
A race that hangs on no argument is seen on the first call so. What is found for one instance need not be there in those that the
users of a header make, and where nothing is found nothing is said.

Macros that a host program computes, or a build states, are picked in the same way where a kernel is asked for by its name: one
after the other, as the refusals name them, sizes of blocks as such, types as floats, other numbers small.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from automata.lang.read import Found
from automata.place import InputError, NotInstantiatedError
from automata.verdict import Finding, Status, one_a_defect
from spmd.asked import Answer, Question

OTHER_TYPES = ("float", "int")
MISSING = re.compile(r"(?:undeclared identifier |^)'([A-Z][A-Z0-9_]+)'|unknown type name '([A-Z][A-Z0-9_]+|real\w*)'")
IS_SIZE = re.compile(r"(?:^|_)(?:WGS?|WORK_?GROUP|BLOCK|GROUP|LOCAL|THREADS|TPB)(?:_|$)|(?:BLOCK|GROUP|LOCAL)_?(?:SIZE|DIM|WORK)")
IS_SWITCH = re.compile(r"(?:ENABLE|USE|HAS|HAVE|IS|WITH|DO)_")
MOST_NAMES, SIZE, NUMBER = 12, "64", "16"
"""How many macros are picked at most; what blocks are picked to have, and what else."""


def found_in_picked(question: Question, why: NotInstantiatedError,
                    check: Callable[[Question, Found], Iterable[Answer]]) -> tuple[Finding, ...]:
    """The findings of an instance that is picked."""
    for name in _examples(why):
        asked = replace(question, source=replace(question.source, kernel=name), suggest=False)
        if why.block and question.launch is None:
            said = (f"blockDim.{axis} == {size}" for axis, size in zip("xyz", why.block, strict=False))
            asked = replace(asked, requires=(*asked.requires, *said))
        try:
            (item,) = asked.source.kernels()
            item.read()
        except (InputError, ValueError):
            continue
        found = [finding for answer in check(asked, item) for finding in answer.report.findings]
        return one_a_defect(_told(finding, name, why.block) for finding in found if finding.status is not Status.BENIGN)
    return ()


def _examples(why: NotInstantiatedError) -> list[str]:
    return list(dict.fromkeys(why.example.replace(OTHER_TYPES[0], name) for name in OTHER_TYPES)) if why.example else []


def _told(finding: Finding, name: str, block: tuple[int, ...]) -> Finding:
    blocks = f" in blocks of {block[0]} threads{' in x' if len(block) == 1 else ''}" if block else ""
    return _noted(finding, f"as {name}{blocks}, an instance that was picked: no text says which there are")


def _noted(finding: Finding, note: str) -> Finding:
    """A finding that decides nothing, with what was picked."""
    return replace(finding, status=Status.POTENTIAL, note="; ".join(filter(None, (finding.note, note))))


def found_with_macros(question: Question, kernel: str, reason: str,
                      check: Callable[[Question, Found], Iterable[Answer]]) -> tuple[Finding, ...]:
    """The findings of a kernel with macros that are picked, as long as each refusal names another one. `reason`: the refusal."""
    given: dict[str, str] = {}
    while (missing := MISSING.search(reason)) and len(given) < MOST_NAMES and not question.call.is_spent:
        name = missing[1] or missing[2]
        if name in given or name in question.source.defines:
            break
        given[name] = "float" if missing[2] else "1" if IS_SWITCH.match(name) else SIZE if IS_SIZE.search(name) else NUMBER
        source = replace(question.source, kernel=kernel, defines={**question.source.defines, **given})
        asked = replace(question, source=source, suggest=False)
        try:
            (item,) = asked.source.kernels()
            item.read()
            found = [finding for answer in check(asked, item) for finding in answer.report.findings]
        except NotInstantiatedError as why:
            found = list(found_in_picked(asked, why, check))
        except (InputError, ValueError) as why:
            reason = str(getattr(why, "message", ""))
            continue
        options = " ".join(f"-D {name}={value}" for name, value in given.items())
        return one_a_defect(_noted(finding, f"with {options}, which was picked: no text says it")
                            for finding in found if finding.status is not Status.BENIGN)
    return ()
