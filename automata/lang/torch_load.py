"""The macros that a Python text gives to a CUDA text which it has PyTorch compile as it runs.

In: a CUDA text and its project's folder. Out: the macros of a call `load(sources=[…], extra_cuda_cflags=[…])` that names the
text, as flags. A call names it if one of its sources is that file, seen from a folder above or below the Python text; what is
computed in a source's name stands for any text. The Python text is parsed and never run; what its names are, `python_names`
says. Options are the words of the list's strings, as a shell reads them: `-DNAME=VALUE`, `-D`, `NAME=VALUE`, and the long
forms. What is chosen, or computed of anything but constants, is left out;
so is a macro with two values, or one that is taken away. Of several calls that name the text (a build each) the first is
taken, if it can be one whose macros are all known, of the texts nearest to it; the verdict names its line and how many there
are. What branches of one `if` set is taken from the one with the largest numbers: that is a build, too, and the verdict says
how many branches there are, and whether a call has options that are not known. Where no call names
the text as its variables are, one that would with another value of a variable says how such texts are compiled.
Source: PyTorch's `torch.utils.cpp_extension.load`.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from automata.lang.compile_commands import Flags
from automata.lang.project import text_of, upwards
from automata.lang.python_names import Seen, calls_of, elements, pattern_of, supposing, text_value

LOADS, SOURCES, OPTIONS = "load", "sources", "extra_cuda_cflags"
OPTION = re.compile(r"-([DU])\s*([A-Za-z_]\w*)(?:=(.*))?", re.S)
LONG = {"--define-macro": "-D", "--undefine-macro": "-U"}
LONGEST, MOST_FILES, MOST_ENTRIES, MOST_BRANCHES = 400_000, 400, 20_000, 40
UPWARDS = re.compile(r"^(?:\.\*)?(?:(?:\\\.){1,2}/|/)*")
"""What the pattern of a source may begin with: a part that is computed, and ways up."""


@dataclass(frozen=True, slots=True)
class _Build:
    """One call: its text and line, its macros, and whether it has others whose values are not known; `branches`: of how many
    choices of an `if` this is one."""

    file: str
    line: int
    defines: dict[str, str]
    has_open: bool
    branches: int = 1


def flags_of_load(path: str, root: str) -> Flags | None:
    """The macros of the nearest call that compiles the text; None where none gives any."""
    wanted = os.path.realpath(path)
    for folder in upwards(os.path.dirname(wanted), root):
        texts = _texts_under(folder)
        for is_loose in (False, True):
            found = [build for file in texts for build in _builds(file, wanted, is_loose)]
            if not found:
                continue
            first = next((build for build in found if not build.has_open), found[0])
            rest = f", one of {len(found)} such calls" if len(found) > 1 else ""
            rest += ", for another value of a name" if is_loose else ""
            rest += f", in one of {first.branches} branches that may be taken" if first.branches > 1 else ""
            rest += ", beside options that are not known" if first.has_open else ""
            return Flags(defines=first.defines, where=first.file, said=f"line {first.line}{rest}") if first.defines else None
    return None


def _texts_under(folder: str) -> list[str]:
    """The Python texts under a folder, the highest first; none where there are too many to be read."""
    found, entries = list[str](), 0
    for at, below, names in os.walk(folder):
        below[:] = sorted(each for each in below if not each.startswith("."))
        entries += len(below) + len(names)
        found += [os.path.join(at, name) for name in sorted(names) if os.path.splitext(name)[1] == ".py"]
        if len(found) > MOST_FILES or entries > MOST_ENTRIES:
            return []
    return found


def _builds(file: str, wanted: str, is_loose: bool) -> Iterator[_Build]:
    """The calls of a Python text that compile a CUDA text."""
    text = text_of(file) or ""
    if SOURCES not in text or f"{LOADS}(" not in text or len(text) > LONGEST:
        return
    try:
        for call, seen in calls_of(ast.parse(text), LOADS):
            sources = _argument(call, SOURCES, 1)
            if sources is not None and _names(sources, seen, file, wanted, is_loose):
                plain = _build(file, call, seen)
                supposed = [_build(file, call, each) for each in islice(supposing(seen), MOST_BRANCHES)] if plain.has_open else []
                whole = [each for each in supposed if not each.has_open]
                yield replace(max(whole, key=_size), branches=len(whole)) if whole else plain
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _size(build: _Build) -> int:
    return sum(int(value) for value in build.defines.values() if value.isdecimal())


def _argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    given = [each.value for each in call.keywords if each.arg == name]
    return given[0] if given else call.args[position] if len(call.args) > position else None


def _names(sources: ast.expr, seen: Seen, file: str, wanted: str, is_loose: bool) -> bool:
    """Whether one of the sources of a call is the file."""
    own = os.path.dirname(os.path.realpath(file))
    for source, where in elements(sources, seen) or ():
        pattern = UPWARDS.sub("", pattern_of(source, where, is_loose))
        match = re.fullmatch(rf"(.*)/{pattern}", wanted, re.S) if pattern.endswith(r"\.cu") else None
        if match and os.path.commonpath([own, match[1] or os.sep]) in (own, match[1]):
            return True
    return False


def _build(file: str, call: ast.Call, seen: Seen) -> _Build:
    """The macros of a call. Where its list is not known, they are none of them."""
    options = _argument(call, OPTIONS, 3)
    listed = elements(options, seen) if options is not None else []
    values: dict[str, set[str | None]] = {}
    has_open = listed is None
    for text, is_whole in _words(listed or ()):
        match = OPTION.fullmatch(text)
        has_open = has_open or (not is_whole and match is None)
        if match:
            value = None if not is_whole or match[1] == "U" else match[3] if match[3] is not None else "1"
            values.setdefault(match[2], set()).add(value)
    known = {name: value for name, given in values.items() if len(given) == 1 and (value := next(iter(given))) is not None}
    return _Build(file, call.lineno, known, has_open or len(known) < len(values))


def _words(options: Sequence[tuple[ast.expr, Seen]]) -> Iterator[tuple[str, bool]]:
    """The words of options, a macro with the word before that says so; of one that is not certain its beginning, and False."""
    before = ""
    for option, where in options:
        text = text_value(option, where)
        for word in [_beginning(option)] if text is None else shlex.split(text):
            name, equals, rest = word.partition("=")
            word = f"{before}{LONG[name]}{rest}" if name in LONG and equals else LONG.get(word, before + word)
            before = word if word in ("-D", "-U") and text is not None else ""
            if not before:
                yield word, text is not None


def _beginning(option: ast.expr) -> str:
    """The text that an option begins with, up to what is not known."""
    match option:
        case ast.JoinedStr(values=[ast.Constant(value=str() as text), *_]) | ast.BinOp(left=ast.Constant(value=str() as text)):
            return text
    return ""
