"""What a project's Makefile says of how its files are compiled, where it says so plainly.

In: a file and its project's folder. Out: the `-D` and `-I` of the nearest Makefile above it that has some. A Makefile is a
program; only what it says whenever it compiles the file is taken: words of assignments and recipes, with variables that are
assigned once, from texts alone, outside of conditions, or behind a condition that the file itself stands behind: where its
object is listed under `ifeq ($(GPU), 1)` and nowhere else, everything else under that condition holds for it too. A macro with
two values, or one that hangs on anything else, is left out, and so is a folder that is not there. So is a macro that any other
line gives another value or takes away, under whatever condition; one in a variable that is set anew anywhere (`override`,
`undefine`); one inside of a function of make; and one that only recipes for other files use. What is taken is printed with the
verdict. Source of the syntax: the manual of GNU make, "How to Write Makefiles" and "Conditional Parts of Makefiles".
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator

from automata.lang.compile_commands import Flags, take
from automata.lang.project import upwards
from automata.lang.source import is_inside

NAMES = ("GNUmakefile", "makefile", "Makefile")
MAX_BYTES = 1_000_000
CONDITION = re.compile(r"(?:ifeq|ifneq|ifdef|ifndef)\b")
OPAQUE = re.compile(r"(?:define|endef|include|-include|export|override|unexport|vpath)\b")
ASSIGNMENT = re.compile(r"([A-Za-z_][\w.]*)\s*(\+|::?|\?)?=\s*(.*)", re.S)
REFERENCE = re.compile(r"\$[({]([\w.]+)[)}]")
OPTION = re.compile(r"-([DI])(.*)", re.S)
DEPTH = 8
SETTING = re.compile(r"^[ ]*(?:(?:override|export)[ ]+)?([A-Za-z_][\w.]*)[ \t]*(?:::?|\?)?=", re.M)
LOSING = re.compile(r"^[ ]*(?:undefine|define)[ ]+(?:override[ ]+)?([A-Za-z_][\w.]*)", re.M)
OF_TARGET = re.compile(r"[^\t=:][^=:]*:(?![:=])[^=]*=")
RULE = re.compile(r"[^\t=:][^=:]*:(?!=)")
OF_SUFFIX = re.compile(r"[ ]*\.(\w+)(?:\.\w+)?[ ]*:")
SOURCE = re.compile(r"[\w%.$()/-]*\.(?:c|cc|cpp|cxx|cu|f|f90|F90|hip)(?![\w.])")
"""What sets a variable, what does away with one, a variable of one target, the head of a rule, of one for all sources of a
suffix, and the name of a source."""


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
            whole = _bare(stream.read())
    except OSError:
        return None
    lines = list(_plain(whole, stem))
    values, others = _variables(lines), _of_others(lines, stem)
    whole += "".join(_included(whole, values, os.path.dirname(makefile), root))
    flags = _taken(_words([line for line in lines if line not in others], _kept(values, whole)), makefile, root)
    folders = _taken(_words(lines, values), makefile, root)
    known = {line: line not in others for line in lines}
    flags.defines = {name: text for name, text in flags.defines.items() if _is_sure(name, text, whole, known)}
    flags.includes = folders.includes
    return flags


def _taken(words: Iterator[str], makefile: str, root: str) -> Flags:
    """The macros of one value, and the folders, that words of command lines give."""
    flags, unsure = Flags(where=makefile), set[str]()
    for word in words:
        option = OPTION.fullmatch(word)
        if option is None or not option[2]:
            continue
        name, _, text = option[2].partition("=")
        is_made = not {"$", "(", ")", ","}.isdisjoint(word)
        if option[1] == "D" and (is_made or flags.defines.get(name, text or "1") != (text or "1")):
            unsure.add(name)
        elif "$" not in word:
            take(flags, f"-{option[1]}", option[2], os.path.dirname(makefile), root)
    flags.defines = {name: text for name, text in flags.defines.items() if name not in unsure}
    return flags


def _kept(values: dict[str, str], whole: str) -> dict[str, str]:
    """The variables that no line sets anew, whatever its condition."""
    set_ = [match[1] for match in SETTING.finditer(whole)]
    lost = {name for name in set_ if set_.count(name) > 1} | {match[1] for match in LOSING.finditer(whole)}
    return {name: text for name, text in values.items() if name not in lost}


def _included(whole: str, values: dict[str, str], folder: str, root: str) -> Iterator[str]:
    """The texts of the project that a Makefile includes by their names."""
    for match in re.finditer(r"^[ ]*[-s]?include[ ]+(.*)$", whole, re.M):
        for word in _expanded(match[1], values).split():
            path = os.path.realpath(os.path.join(folder, word))
            if is_inside(path, root) and os.path.isfile(path) and os.path.getsize(path) <= MAX_BYTES:
                with open(path, encoding="utf-8", errors="replace") as stream:
                    yield "\n" + _bare(stream.read())


def _is_sure(name: str, text: str, whole: str, known: dict[str, bool]) -> bool:
    """Whether no line gives a macro another value or takes it away. `known`: the lines that count, and whether each is for the
    file; those that are have been looked at for values, those for other files are of no account."""
    said = re.compile(rf"-([DU])[ ]*{name}(?!\w)(?:=(\S*))?")
    for line in whole.split("\n"):
        for match in said.finditer(line) if known.get(line, True) else ():
            is_same = match[1] == "D" and (match[2] if match[2] is not None else "1").strip("\"'\\") == text.strip("\"")
            if match[1] == "U" or (line not in known and not is_same):
                return False
    return True


def _of_others(lines: list[str], stem: str) -> set[str]:
    """The lines that are for other files alone: recipes that name another source and not the file, what one target has by itself,
    and assignments of variables that only such recipes use."""
    values = _variables(lines)
    found, used, mine = set[str](), set[str](), set[str]()
    head = ""
    for line in lines:
        if not line.startswith("\t"):
            head = line if RULE.match(line) else ""
            found |= {line} if OF_TARGET.match(line) else set()
            continue
        rule = _expanded(f"{head} {line}", values)
        suffix = OF_SUFFIX.match(head)
        is_mine = suffix[1] == "cu" if suffix is not None else re.search(r"%\.cu\b", head) or re.search(
            rf"(?<![\w-]){re.escape(stem)}\.(?:o|obj|cu|cubin|ptx)\b", rule)
        named = [head] if suffix is not None else [
            each for each in SOURCE.findall(rule) if "%" not in each or not each.endswith(".cu")]
        found |= {line} if named and not is_mine else set()
        (used if named and not is_mine else mine).update(_behind(line, values))
    return found | {line for line in lines if (match := ASSIGNMENT.fullmatch(line.strip())) and match[1] in used - mine}


def _behind(text: str, values: dict[str, str]) -> set[str]:
    """The variables that a text stands for, and those behind them."""
    found, waiting = set[str](), REFERENCE.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += REFERENCE.findall(values.get(name, ""))
    return found


def _expanded(text: str, values: dict[str, str]) -> str:
    for _ in range(DEPTH):
        text = REFERENCE.sub(lambda match: values.get(match[1], match[0]), text)
    return text


def _bare(text: str) -> str:
    """A text without comments, its lines joined where a backslash ends one."""
    return "\n".join(re.sub(r"(?<!\\)#.*", "", line) for line in re.sub(r"\\\n[ \t]*", " ", text).split("\n"))


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
        text = _expanded(line, values)
        if "-D" not in text and "-I" not in text:
            continue
        try:
            yield from shlex.split(text)
        except ValueError:
            continue
