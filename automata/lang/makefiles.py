"""What a project's Makefile says of how its files are compiled, where it says so plainly.

In: a file and its project's folder. Out: the `-D` and `-I` of the nearest Makefile above it that has some. A Makefile is a
program; only what it says whenever it compiles the file is taken: words of assignments and recipes, with variables that are
assigned once, from texts alone, outside of conditions, or behind a condition that the file itself stands behind: where its
object is listed under `ifeq ($(GPU), 1)` and nowhere else, everything else under that condition holds for it too. A macro with
two values, or one that hangs on anything else, is left out, and so is a folder that is not there. What is taken is printed with
the verdict. Source of the syntax: the manual of GNU make, "How to Write Makefiles" and "Conditional Parts of Makefiles".
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator

from automata.lang.compile_commands import Flags, take
from automata.lang.project import upwards

NAMES = ("GNUmakefile", "makefile", "Makefile")
MAX_BYTES = 1_000_000
CONDITION = re.compile(r"(?:ifeq|ifneq|ifdef|ifndef)\b")
OPAQUE = re.compile(r"(?:define|endef|include|-include|export|override|unexport|vpath)\b")
ASSIGNMENT = re.compile(r"([A-Za-z_][\w.]*)\s*(\+|::?|\?)?=\s*(.*)", re.S)
REFERENCE = re.compile(r"\$[({]([\w.]+)[)}]")
OPTION = re.compile(r"-([DI])(.*)", re.S)
DEPTH = 8


def flags_of_make(path: str, root: str) -> Flags | None:
    """The flags of the nearest Makefile from the file's folder up to the project's that names any; None without one."""
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root):
        for name in NAMES:
            flags = _flags(os.path.join(folder, name), root, os.path.splitext(os.path.basename(path))[0])
            if flags is not None and (flags.defines or flags.includes):
                return flags
    return None


def _flags(makefile: str, root: str, stem: str) -> Flags | None:
    """What a Makefile says of the file that goes by a name without its ending."""
    try:
        if os.path.getsize(makefile) > MAX_BYTES:
            return None
        with open(makefile, encoding="utf-8", errors="replace") as stream:
            lines = list(_plain(stream.read(), stem))
    except OSError:
        return None
    flags, values, unsure = Flags(where=makefile), _variables(lines), set[str]()
    for word in _words(lines, values):
        option = OPTION.fullmatch(word)
        if option is None or not option[2]:
            continue
        name, _, text = option[2].partition("=")
        if option[1] == "D" and ("$" in word or flags.defines.get(name, text or "1") != (text or "1")):
            unsure.add(name)
        elif "$" not in word:
            take(flags, f"-{option[1]}", option[2], os.path.dirname(makefile), root)
    flags.defines = {name: text for name, text in flags.defines.items() if name not in unsure}
    return flags


def _plain(text: str, stem: str) -> Iterator[str]:
    """The lines that count for a file, joined where a backslash ends one, without comments."""
    lines = list(_under_conditions(text))
    named = re.compile(rf"(?<![\w-]){re.escape(stem)}\.(?:o|obj|cu|cubin|ptx)\b")
    behind = [set(held) for held, line in lines if named.search(line)]
    known = set.intersection(*behind) if behind else set[str]()
    yield from (line for held, line in lines if known.issuperset(held))


def _under_conditions(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each line with the conditions around it; an `else` has one that nothing else has, and so has what a macro keeps."""
    held: list[str] = []
    for number, line in enumerate(re.sub(r"\\\n[ \t]*", " ", text).split("\n")):
        bare = line.strip()
        if CONDITION.match(bare) or bare.startswith("define "):
            held.append(f"define {number}" if bare.startswith("define ") else re.sub(r"\s+", "", bare.partition("#")[0]))
        elif re.match(r"(?:endif|endef)\b", bare):
            held = held[:-1]
        elif re.match(r"else\b", bare):
            held = [*held[:-1], f"else {number}"]
        elif not OPAQUE.match(bare):
            yield tuple(held), re.sub(r"(?<!\\)#.*", "", line)


def _variables(lines: list[str]) -> dict[str, str]:
    """What variables hold that one assignment gives, or one and additions to it; `+=` alone is one too."""
    found: dict[str, list[str]] = {}
    lost = set[str]()
    for line in lines:
        match = None if line.startswith("\t") else ASSIGNMENT.fullmatch(line.strip())
        if match is None:
            continue
        if match[2] != "+" and match[1] in found:
            lost.add(match[1])
        found.setdefault(match[1], []).append(match[3])
    return {name: " ".join(texts) for name, texts in found.items() if name not in lost}


def _words(lines: list[str], values: dict[str, str]) -> Iterator[str]:
    for line in lines:
        text = line
        for _ in range(DEPTH):
            text = REFERENCE.sub(lambda match: values.get(match[1], match[0]), text)
        if "-D" not in text and "-I" not in text:
            continue
        try:
            yield from shlex.split(text)
        except ValueError:
            continue
