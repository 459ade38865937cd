"""A kernel, or a function that it calls, that conditions of the preprocessor leave out: which they are, and what to define.

In: a text as it lies there, and the name of the kernel that is asked for; where none is, and none was found, the first one's.
Out: the macros of the `#if`s around the kernel that ask whether they are defined, as a part of a message with `-D` for each. A
condition of another kind is shown as it is written. Only the text itself is
looked at: whether a condition is met is not asked again, for the kernel was not found.
"""

from __future__ import annotations

import re

COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|//[^\n]*")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
MARK = re.compile(r"\b(?:__kernel|kernel|__global__)\b[^;{}]*\Z")
MARKED = re.compile(
    r"\b(?:__kernel|__global__)\b(?:\s*__launch_bounds__\s*\([^()]*\)|[^;{}()])*?\b(?!__launch_bounds__)(\w+)\s*\(")
HEAD = re.compile(r"(?:__device__|__forceinline__|\binline|\bstatic)\b[^;{}()=]*\Z")
UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
LONGEST_HEAD = 400
IF = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([^\n]*)", re.M)
DEFINED = re.compile(r"(?:defined[ \t]*\(?[ \t]*)?([A-Za-z_]\w*)[ \t]*\)?")
QUESTION = re.compile(r"^[ \t]*#[ \t]*(?:ifdef|ifndef|(?:el)?if)[ \t]+[A-Za-z_]\w*[ \t]*$|\bdefined[ \t]*\(?[ \t]*\w+", re.M)
OTHERWISE = "else of #ifndef"
ASKING = ("if", "ifdef", OTHERWISE)
MOST = 4


def excluded(text: str, kernel: str | None) -> str:
    """What is told of a kernel that is there and left out; nothing where it is not there, or nothing is around it."""
    name, around = _conditions(text, kernel)
    if not around:
        return ""
    asked = [DEFINED.fullmatch(condition) for kind, condition, _ in around if kind in (*ASKING, "elif")]
    names = list(dict.fromkeys(match[1] for match in asked if match is not None))
    typed = f"; state what they ask for, for example {' '.join(f'-D {each}=1' for each in names)}" if names else ""
    return f"; '{name}' stands under {_said(around)}{typed}"


def supposed(text: str, kernel: str | None) -> tuple[dict[str, str], str]:
    """Definitions under which a kernel that is asked for by name is there, where all conditions around it ask for a macro and for
    nothing else: who asks for the kernel means a build that has it. With them what is told; nothing where a condition is of
    another kind, or the text uses such a macro as a value, which nobody knows then."""
    name, around = _conditions(text, kernel) if kernel is not None else ("", [])
    return _switched_on(text, name, around)


def needed(text: str, message: str) -> tuple[dict[str, str], str]:
    """The same for a function that a kernel calls and nobody declares, as an error says: where the text defines it under such
    conditions alone, a build in which the kernel compiles has them."""
    lost = UNDECLARED.search(message)
    if lost is None:
        return {}, ""
    name = lost[1]
    plain = _without_comments(text)
    heads = [_around(plain, match.start()) for match in re.finditer(rf"\b{re.escape(name)}\s*\([^;{{}}]*\)\s*\{{", plain)
             if HEAD.search(plain[max(0, match.start() - LONGEST_HEAD):match.start()])]
    return _switched_on(text, name, heads[0]) if heads and all(each == heads[0] for each in heads) else ({}, "")


def _switched_on(text: str, name: str, around: list[tuple[str, str, int]]) -> tuple[dict[str, str], str]:
    """The definitions that conditions around a name ask for, and what is told of them."""
    asked = [DEFINED.fullmatch(condition) if kind in ASKING else None for kind, condition, _ in around]
    names = dict.fromkeys(match[1] for match in asked if match is not None)
    rest = STRING.sub(" ", QUESTION.sub(" ", COMMENT.sub(" ", text)))
    if not names or None in asked or any(re.search(rf"\b{each}\b", rest) for each in names):
        return {}, ""
    told = f"compiled with {' '.join(f'-D {each}=1' for each in names)}, for '{name}' stands under {_said(around)}"
    return dict.fromkeys(names, "1"), told


def _conditions(text: str, kernel: str | None) -> tuple[str, list[tuple[str, str, int]]]:
    """The name of a kernel, or of the first one, without all that stands around it, and the conditions around its definition."""
    plain = _without_comments(text)
    if kernel is None:
        first = MARKED.search(plain)
        kernel = first[1] if first is not None else ""
    name = kernel.partition("<")[0].strip().rpartition("::")[2]
    heads = [] if not name else [match.start() for match in re.finditer(rf"\b{re.escape(name)}\s*\(", plain)]
    at = next((start for start in heads if MARK.search(plain[max(0, start - LONGEST_HEAD):start])), None)
    return name, _around(plain, at) if at is not None else []


def _without_comments(text: str) -> str:
    """A text of the same length with spaces in the place of comments."""
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _said(around: list[tuple[str, str, int]]) -> str:
    return ", ".join(f"#{kind}{f' {condition}' if condition else ''} (line {line})" for kind, condition, line in around[-MOST:])


def _around(text: str, at: int) -> list[tuple[str, str, int]]:
    """The branches of conditions that hold a place: the directive that opens each, what it asks, and its line. The `#else` of an
    `#ifndef` asks what `#ifdef` asks."""
    found: list[tuple[str, str, int]] = []
    for match in IF.finditer(text, 0, at):
        before = found.pop() if found and match[1] in ("endif", "elif", "else") else None
        line = text.count("\n", 0, match.start(1)) + 1
        if match[1] == "else" and before is not None and before[0] == "ifndef":
            found.append((OTHERWISE, before[1], line))
        elif match[1] != "endif":
            found.append((match[1], match[2].strip(), line))
    return [each for each in found if each[0] != "ifndef" or not _is_guard(text, each[1])]


def _is_guard(text: str, name: str) -> bool:
    """Whether a name is that of a header's guard, which the text defines itself."""
    return re.search(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(name)}\b", text, re.M) is not None
