"""Whether an `#error` is of no account for a kernel.

In: the file in which an `#error` was reached, the texts of all files that were read, and what of them the kernel uses. Out:
whether the kernel is the same in each build in which it is not reached. clang reads on behind such a directive, as if none of
the other branches were there: so the macros that they define are not there either, nor is what they are asked for. The kernel is
the same where nothing hangs on those: no condition elsewhere asks for them or for what the branches themselves ask, and no text
that the kernel uses has one of them, or a macro that leads to one. Where a declaration has one, clang finds an error in it,
which is judged like any other (`wrong.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from automata.lang.clang.index import Complaint
from automata.lang.clang.reach import MACRO, WORD

CONDITION = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:\\\n|[^\n])*)", re.M)
GUARD = re.compile(rb"\A(?:\s|//[^\n]*|/\*.*?\*/)*#[ \t]*ifndef[ \t]+(\w+)\s*\n\s*#[ \t]*define[ \t]+\1[ \t]*(?:\n|//|/\*)", re.S)
MADE = re.compile(rb"[ \t]*(?:#|%:)[ \t]*include[ \t]+([A-Za-z_]\w*)[ \t]*(\([^()\n]*\))?")
UNMADE = 'expected "FILENAME" or <FILENAME>'
KNOWN = frozenset({b"defined", b"__cplusplus", b"__CUDACC__", b"__CUDA_ARCH__", b"__has_include"})
Extent = tuple[str, int, int]


def is_of_no_account(file: str, offset: int, files: Iterable[str], source: Callable[[str], bytes],
                     used: Iterable[Extent]) -> bool:
    """Whether nothing that a kernel uses hangs on what stands around an `#error`."""
    text, others = source(file), [source(each) for each in files if each != file]
    guard = GUARD.match(text)
    hidden = {match[1] for match in MACRO.finditer(text)} - ({guard[1]} if guard else set())
    defined = [(match[1], set(WORD.findall(match[2])), b"##" in match[2]) for other in others for match in MACRO.finditer(other)]
    hidden = _led_to(hidden, defined)
    asked = hidden | asked_around(text, offset)
    if any(asked & set(WORD.findall(match[2])) for other in others for match in CONDITION.finditer(other)):
        return False
    pasted = _led_to({name for name, _, pastes in defined if pastes}, defined)
    words = {word for each, start, end in used for word in WORD.findall(source(each)[start:end])}
    return not words & (hidden | asked | pasted)


def _led_to(names: set[bytes], defined: list[tuple[bytes, set[bytes], bool]]) -> set[bytes]:
    """Macros, and all whose bodies lead to one of them."""
    found, before = set(names), -1
    while len(found) > before:
        before = len(found)
        found |= {name for name, words, _ in defined if words & found}
    return found


def asked_around(text: bytes, offset: int) -> set[bytes]:
    """What the branches ask for that belong with the one an `#error` stands in, but for what the file defines for itself."""
    open_groups: list[set[bytes]] = []
    for match in CONDITION.finditer(text, 0, offset):
        words = set(WORD.findall(match[2])) - KNOWN
        if match[1].startswith(b"if"):
            open_groups.append(words)
        elif match[1] == b"endif" and open_groups:
            open_groups.pop()
        elif open_groups:
            open_groups[-1] |= words
    return (open_groups[-1] if open_groups else set()) - {match[1] for match in MACRO.finditer(text)}


def unmade_include(error: Complaint, files: Iterable[str], source: Callable[[str], bytes]) -> str:
    """The header that a macro of an absent library would name: `#include BOOST_PP_ITERATE()`, which no text here defines. It is
    missing like any other header that is not there; nothing where an error is another one."""
    if error.message != UNMADE:
        return ""
    text = source(error.file)
    made = MADE.match(text, text.rfind(b"\n", 0, error.offset) + 1)
    if made is None or any(match[1] == made[1] for file in files for match in MACRO.finditer(source(file))):
        return ""
    return (made[1] + (made[2] or b"")).decode("utf-8", "replace")
