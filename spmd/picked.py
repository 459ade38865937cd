"""A kernel template of which no text says an instance, looked at in one that is picked.

In: the refusal, which names an example of an instance (`k<float, 32>`), and who checks a kernel. Out: what is found in the first
example that can be read, with `float` or else `int` for each type, in blocks of as many threads as an argument says. It
decides nothing: the verdict stays that arguments have to be said, and each finding is potential, with the instance in its note.
A race that hangs on no argument is seen on the first call so. What is found for one instance need not be there in those that the
users of a header make, and where nothing is found nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from automata.lang.read import Found
from automata.place import InputError, NotInstantiatedError
from automata.verdict import Finding, Status, one_a_defect
from spmd.asked import Answer, Question

OTHER_TYPES = ("float", "int")


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
    note = f"as {name}{blocks}, an instance that was picked: no text says which there are"
    return replace(finding, status=Status.POTENTIAL, note="; ".join(filter(None, (finding.note, note))))
