"""The kernels of a text of a revision: what each does, as a digest of its Core, and how it is launched.

In: a text and the folder of its revision. Out: a `Read` for every kernel that is seen through it, wherever that stands, and one
for the text itself if it cannot be read. Nothing is dropped: what a front end refuses has its verdict and reason, and in the
place of Core the words of all texts that it sees, without comments and blanks. So it is still known whether anything changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import replace

from automata.lang.core import Kernel
from automata.lang.digest import digest, shape
from automata.lang.launch import Launch
from automata.lang.project import COMMENT
from automata.lang.read import Found
from automata.place import InputError, NotInstantiatedError, UnsupportedError
from spmd.asked import Question, Source
from spmd.diff.affected import Texts
from spmd.diff.export import Exported
from spmd.diff.paths import is_encodable
from spmd.diff.read import Read
from spmd.diff.settings import settings_of
from spmd.pipeline import forget, launches_of
from spmd.settings.apply import for_kernel, kernels_asked, with_settings

NO_KERNEL = "no kernel here"


def read_text(texts: Texts, unit: str, new: Exported) -> Iterator[Read]:
    """All kernels that are seen through a text. `new`: the new revision."""
    forget()
    os.chdir(new.root)
    words = words_of(texts, unit)
    if not is_encodable(unit):
        yield Read(unit, None, unit, text=words, verdict="invalid", reason="the name of this file is not UTF-8: rename it")
        return
    try:
        source = Source(texts.side.path(unit), project=texts.side.root)
        question = with_settings(Question(source), settings_of(texts.side, new, unit))
        found = kernels_asked(question)
    except InputError as error:
        if not error.message.startswith(NO_KERNEL):
            yield _refused(Read(unit, None, unit, text=words), error)
        return
    for item in found:
        home = texts.side.name(item.place.file) or unit
        yield _read(question, item, Read(home, item.name, unit, item.place.line, text=words))


def _read(question: Question, item: Found, blank: Read) -> Read:
    try:
        kernel = item.read()
        said = [launches_of(each, item, kernel) for each in for_kernel(question, item)]
        launch, launches = said[0]
        configured = [each.configured for each in for_kernel(question, item) if each.configured is not None]
        asked = [replace(each, requires=(*launch.requires, *each.requires)) for each in launches] or [each for each, _ in said]
        launched = digest([_without_source(each) for each in asked])
        is_stated = launch.is_stated and not configured
        return replace(blank, core=core_digest(kernel), shape=shape(kernel), order=kernel.order, is_stated=is_stated,
                       launches=tuple(asked if launches else configured), launched=launched)
    except InputError as error:
        return _refused(blank, error)
    except RecursionError:
        return _refused(blank, UnsupportedError("expressions nested too deeply", item.place))


def core_digest(kernel: Kernel) -> str:
    """What a kernel does, whatever it is called."""
    return digest(replace(kernel, name=""))


def _without_source(launch: Launch) -> Launch:
    return replace(launch, source="")


def _refused(blank: Read, error: InputError) -> Read:
    verdict = "unsupported" if isinstance(error, UnsupportedError) else "invalid"
    return replace(blank, verdict=verdict, reason=str(error), is_idle=isinstance(error, NotInstantiatedError))


def words_of(texts: Texts, unit: str) -> str:
    """The digest of a text and of all that it sees, comments and blanks left out."""
    found = hashlib.sha256()
    for name in sorted(texts.seen_by([unit])):
        plain = re.sub(r"[ \t\r\f\v]+", " ", COMMENT.sub(lambda match: match[1] or " ", texts.raw(name)))
        lines = [line.strip() for line in plain.split("\n") if line.strip()]
        found.update("\n".join([name if name != unit else "", *lines, ""]).encode("utf-8", "surrogatepass"))
    return found.hexdigest()
