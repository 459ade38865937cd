"""Who enqueues the kernels of an OpenCL program, and who defines a function that a host text calls.

In: a file of a project. Out: other texts of it, found by what stands in them (`project`); what that means, the readers decide.
"""

from __future__ import annotations

import os
import re

from automata.lang.naming import may_name
from automata.lang.project import COMMENT, ENQUEUES, UNITS, areas, programs_under, seen_by, text_of


def enqueuers(path: str, kernel: str, stated: str | None = None) -> tuple[str, ...]:
    """The nearest host texts that make a kernel of an OpenCL program by its name and enqueue kernels: those of them that name the
    program's file, if any does. None to which another program with such a kernel is as near, but for one of another name where
    the texts there name this one's file."""
    own, name, quoted = os.path.realpath(path), os.path.basename(path), f'"{kernel}"'
    for files in areas(path, stated):
        texts = {file: text for file in files if (text := text_of(file)) is not None and file != own}
        found = [file for file, text in texts.items() if file.endswith(UNITS) and quoted in text and _enqueues(file, files)]
        if not found:
            continue
        named = re.compile(rf'(?<![\w.-]){re.escape(name)}"')
        naming = {file for file, text in texts.items() if name in text and named.search(text)}
        found = [file for file in found if file in naming] or found
        folder = os.path.commonpath([os.path.dirname(own), *(os.path.dirname(each) for each in found)])
        others = [file for file in programs_under(folder)
                  if os.path.realpath(file) != own and _defines(text_of(file) or "", kernel)]
        others = [file for file in others if not naming or os.path.basename(file) == name]
        return tuple(sorted(file for file in found
                            if not any(_nearness(file, other) >= _nearness(file, own) for other in others)))
    return ()


def _enqueues(file: str, files: tuple[str, ...]) -> bool:
    """Whether a text enqueues kernels, or a header that it includes does, in a macro or a function."""
    return any(ENQUEUES in (text_of(each) or "") for each in (file, *seen_by(file, files)))


def definers(path: str, name: str, stated: str | None = None) -> tuple[str, ...] | None:
    """The texts of a project, as far as it is searched, that define a function of a name; None where that cannot be told."""
    area: tuple[str, ...] | None = None
    for files in areas(path, stated):
        area = files
    texts = {file: text_of(file) for file in area or ()}
    if area is None or any(text is None for text in texts.values()):
        return None
    defined = re.compile(rf"\b{re.escape(name)}\s*\([^;{{}}]*\)[^;{{}}()=]*\{{")
    found, word = list[str](), re.compile(rf"\b{re.escape(name)}\b")
    for file, text in texts.items():
        plain = COMMENT.sub(" ", text) if text is not None and may_name(text, name) else ""
        if plain and word.search(plain) is None:
            return None
        found += [file] if defined.search(plain) else []
    return tuple(found)


def _nearness(file: str, other: str) -> int:
    """How many folders two files share."""
    return len(os.path.commonpath([os.path.dirname(os.path.realpath(file)), os.path.realpath(other)]).split(os.sep))


def _defines(text: str, kernel: str) -> bool:
    return kernel in text and re.search(rf"\b(?:__)?kernel\b[^;{{}}]*\b{kernel}\s*\(", text) is not None
