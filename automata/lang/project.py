"""The project that a file belongs to: where its headers lie, which text compiles it, and who launches its kernels.

In: a file. Out: folders in which its headers are looked for (`search_folders`), the translation unit that includes it
(`units_of`), and the files that launch a kernel which they only declare (`launchers`).

A kernel often stands in a file that is not compiled by itself: `main.cu` includes `kernels.cu` behind its own macros and types.
Read alone, such a file lacks them, and its launches are not seen. So it is read as its program reads it. A project is the folder
tree of the nearest `.git` above the file; without one, the file's own folder. Nothing outside of it is read. The search starts
in the file's own folder and widens by one folder at a time, until something is found or too many files would have to be read.
What is asked of the texts here is only who includes whom and who launches whom; the readers decide what it means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from automata.lang.arrows import with_arrows
from automata.lang.declared import only_declares
from automata.lang.naming import code_of, has_main, joined, links, looks_up, may_name, uncommented
from automata.lang.reached import Reached, files_called, forced, reached, renames_main
from automata.lang.reached import forget as forget_reached
from automata.lang.source import MAX_BYTES, is_inside
from automata.place import InputError

UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c", ".C", ".CPP", ".c++", ".cp", ".cppm", ".ixx", ".hip")
HEADERS = (".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".H", ".h++", ".ipp", ".tpp", ".tcc", ".txx")
UNIT = re.compile(r"^[ \t]*(?:export[ \t]+)?import[ \t]*[<\"]([^>\"\n]+)[>\"]", re.M)
"""A header that a text imports as a unit, with its macros."""
ANGLED = re.compile(r"^[ \t]*#[ \t]*(?:include(?:_next)?|import)[ \t]*<([^>\n]+)>", re.M)
COMPUTED = re.compile(r"^[ \t]*#[ \t]*(?:include(?:_next)?|import)[ \t]+([A-Za-z_]\w*)", re.M)
WORD = re.compile(r"\w+")
MAX_FILES = 2_000
ENTRIES_PER_FILE = 10
ENQUEUES = "clEnqueueNDRangeKernel"
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*")', re.S)
INCLUDE = re.compile(r"""
    (?:^[ \t]*\#[ \t]*(?:include(?:_next)?|import|define[ \t]+\w+)[ \t]*|\b__has_include(?:_next)?[ \t]*\([ \t]*)
    ["<]([^">\n]+)[">]""", re.M | re.X)
"""A file that a text includes, asks for, or writes down as a macro, which an include may name."""
MAIN = re.compile(r"\bmain\s*\(")
LAUNCH = re.compile(r"([A-Za-z_]\w*)\s*(?:<(?:[^<>;{}]|<[^<>;{}]*>)*>)?\s*<<<")
GLOBAL = re.compile(r"__global__\b[^;{}]*")
HIDDEN = re.compile(r"\bnamespace\s*\{|\bstatic\b[^;{}()]*\b__global__\b|\b__global__\s[^;{}()]*\bstatic\b")
"""What other texts cannot launch by its name: a kernel that is `static`, or anything in a namespace without a name."""
NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
NOT_NAMES = {"__launch_bounds__", "__attribute__", "alignas", "__declspec", "__cluster_dims__", "__maxnreg__"}


MOST_TEXTS = 48
"""Other texts that are read for one function of a host: if more may name it, nobody knows who calls it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a text says: the includes in it, the kernels it launches, declares without a body, and defines."""

    includes: tuple[str, ...]
    launches: frozenset[str]
    declares: frozenset[str]
    defines: frozenset[str]


NOTHING = Told((), frozenset(), frozenset(), frozenset())


def forget() -> None:
    """Look again at which files there are and what is in them (between questions)."""
    _under.cache_clear()
    _listed.cache_clear()
    text_of.cache_clear()
    _with_odd.cache_clear()
    forget_reached()
    programs_under.cache_clear()
    _includers.cache_clear()


def root_of(path: str, stated: str | None = None) -> str:
    """The project's folder: the one that is stated, else the nearest above a file that holds `.git`, else the file's own."""
    own = os.path.dirname(os.path.realpath(path))
    if stated is not None:
        root = os.path.realpath(stated)
        if not os.path.isdir(root):
            raise InputError(f"--project '{stated}' is not a folder")
        if not is_inside(own, root):
            raise InputError(f"--project '{stated}' does not hold the file '{path}'")
        return root
    return next((folder for folder in upwards(own, os.sep) if os.path.exists(os.path.join(folder, ".git"))), own)


def search_folders(path: str, stated: str | None = None) -> tuple[str, ...]:
    """Where a header is looked for at last: in the folders from the file's up to the project's, and in `include` of each."""
    root = root_of(path, stated)
    found: list[str] = []
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root):
        found += [each for each in (folder, os.path.join(folder, "include")) if os.path.isdir(each)]
    return tuple(found)


def units_of(path: str, stated: str | None = None) -> tuple[str, ...]:
    """The translation units that include a file, directly or through headers, the nearest first; none if it is one itself. Where
    there is none, headers that it includes and that include it: read by itself it would hold itself twice."""
    wanted = os.path.realpath(path)
    for files in areas(path, stated):
        found = _including(wanted, files)
        if found:
            return tuple(found)
    return next((tuple(found) for files in areas(path, stated) if (found := sorted(
        file for file in files if file != wanted and _includes(file, wanted) and _includes(wanted, file)))), ())


def launchers(path: str, kernel: str, stated: str | None = None) -> tuple[str, ...]:
    """The nearest files that launch a kernel of this file without defining it, and see a declaration that this file sees too, or
    one of their own; or, in its own folder, any. None if another file near it defines a kernel of the same name: then nobody
    knows which is meant."""
    own = os.path.realpath(path)
    is_linked = not HIDDEN.search(COMMENT.sub(" ", text_of(own) or ""))
    for files in areas(path, stated):
        texts = {file: said(file) for file in files if file != own}
        mine = seen_by(own, files)
        found = []
        for file, text in texts.items():
            if kernel not in text.launches or kernel in text.defines:
                continue
            seen = seen_by(file, files)
            shared = seen if is_linked and os.path.dirname(file) == os.path.dirname(own) else seen & mine
            if kernel in text.declares or any(kernel in said(header).declares for header in shared):
                found.append(file)
        if any(kernel in text.defines for text in texts.values()):
            return ()
        if found:
            return tuple(sorted(found))
    return ()


@cache
def programs_under(folder: str) -> tuple[str, ...]:
    """The OpenCL programs under a folder."""
    return tuple(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names
                 if name.endswith((".cl", ".opencl")))


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands near a text. `named`: the other texts that may name something, each with whether it is a program of its own;
    `calling`: those of them that may do more than declare a function of the name; `has_main`: whether one of all may have a
    `main`; `others`: what else may reach it."""

    named: tuple[tuple[str, bool], ...]
    calling: tuple[tuple[str, bool], ...]
    has_main: bool
    others: Reached


def named_beside(path: str, name: str, own: frozenset[str], stated: str | None = None) -> Beside | None:
    """The texts of a project, as far as it is searched, that could name a function or variable, and are none of a text's `own`:
    they have its name, a macro that may paste it together, or see a text that has. None where that cannot be told."""
    folder = area_top(os.path.dirname(_real(path)), root_of(path, stated))
    area = _with_odd(folder)
    texts = {file: text_of(file) for file in {*map(_real, area or ()), *own}}
    if area is None or None in texts.values():
        return None
    having = {file for file, text in texts.items() if text is not None and may_name(text, name)}
    if not having & own <= {*map(_real, area)}:
        return None
    others = [file for file in area if _real(file) not in own]
    mains = {file for file in others if has_main(texts[_real(file)] or "") and not renames_main(folder)}
    telling = {file for file in having if file.endswith(HEADERS) and only_declares(texts[file] or "", name)}
    named, calling = ([file for file in others if _real(file) in doing or (file.endswith(UNITS) and file in seeing)]
                      for doing, seeing in ((each, _including_any(each, area)) for each in (having, having - telling)))
    either, some = (tuple((file, file in mains) for file in each) for each in (named, calling))
    given = forced(folder)
    is_reached = any(links(text, name) for text in texts.values() if text is not None) or any(
        os.path.basename(each) in given for each in having - telling)
    there = Reached(True, True, True) if is_reached else reached(folder, name)
    if not there.exported and any(looks_up(text) for text in texts.values() if text is not None):
        there = replace(there, exported=True, variable=True)
    return Beside(either, some, any(_may_have_main(texts[_real(file)]) for file in others), there)


def is_included(path: str, stated: str | None = None) -> bool:
    """Whether a text of the project may include a file; also where that cannot be told."""
    area = _with_odd(area_top(os.path.dirname(_real(path)), root_of(path, stated)))
    return area is None or _real(path) in _includers(area)


@cache
def _with_odd(folder: str) -> tuple[str, ...] | None:
    """The texts of an area, and those under other names that they include."""
    area = _under(folder)
    done = set[str]()
    while area is not None:
        names = {os.path.basename(name) for file in area for name in said(file).includes} - done
        names = {name for name in names if not name.endswith(UNITS + HEADERS)}
        if not names:
            break
        done |= names
        area += tuple(files_called(folder, frozenset(names)))
    return area


def _including_any(having: set[str], area: tuple[str, ...]) -> set[str]:
    """The texts that include some others, directly or through more."""
    above = _includers(area)
    seen, todo = set[str](), list(having)
    while todo:
        new = [each for each in above.get(todo.pop(), ()) if each not in seen]
        seen.update(new)
        todo += map(_real, new)
    return seen


@cache
def _includers(area: tuple[str, ...]) -> dict[str, list[str]]:
    """For each text of an area those that may include it. `#include <a.h>` does not look beside the text; one whose file a macro
    names may be any whose name without its ending stands in the text, or any at all where the macro is the build's."""
    by_name: dict[str, list[str]] = {}
    for each in area:
        by_name.setdefault(os.path.basename(each), []).append(each)
    found: dict[str, list[str]] = {}
    for file in area:
        raw = text_of(file) or ""
        plain = joined(raw) if "include" in raw or "import" in raw else ""
        names = {os.path.basename(name) for name in said(file).includes}
        targets = {target for name in names for target in by_name.get(name, ()) if _includes(file, target)}
        for name in (*ANGLED.findall(plain), *UNIT.findall(plain)):
            tail = os.sep + re.sub(r"^(?:\.{1,2}/)+", "", name)
            targets |= {target for target in by_name.get(os.path.basename(name), ()) if target.endswith(tail)}
        for macro in COMPUTED.findall(plain):
            words, is_ours = set(WORD.findall(plain)), any(re.search(rf"\bdefine\s+{macro}\b", text_of(each) or "")
                                                           for each in area)
            targets |= {each for each in area if not is_ours or os.path.splitext(os.path.basename(each))[0] in words}
        for target in targets - {file}:
            found.setdefault(_real(target), []).append(file)
    return found


@cache
def _may_have_main(text: str | None) -> bool:
    return text is not None and "main" in text and MAIN.search(code_of(text)) is not None


@cache
def _real(path: str) -> str:
    """`os.path.realpath`, which asks for every folder on the way."""
    return os.path.realpath(path)


@cache
def text_of(file: str) -> str | None:
    """A text as it is; None for one that is not read."""
    try:
        status = os.stat(file)
        return _raw_text(file, status.st_mtime_ns) if status.st_size <= MAX_BYTES else None
    except OSError:
        return None


@cache
def _raw_text(file: str, changed: int) -> str:
    with open(file, encoding="utf-8-sig", errors="replace") as stream:
        return stream.read()


def _including(wanted: str, files: tuple[str, ...]) -> list[str]:
    """Breadth first from a file to those that include it, up to the nearest translation units that nothing includes; where all
    are included by others, to the nearest."""
    seen, level, nearest = {wanted}, [wanted], list[str]()
    while level:
        above = sorted(file for file in files if file not in seen and any(_includes(file, target) for target in level))
        seen.update(above)
        units = [file for file in above if file.endswith(UNITS)]
        whole = [file for file in units if not any(_includes(other, file) for other in files if other != file)]
        if whole:
            return whole
        nearest = nearest or units
        level = above
    return nearest


def seen_by(file: str, files: tuple[str, ...]) -> set[str]:
    """The files of an area that a file includes, directly or through others."""
    by_name: dict[str, list[str]] = {}
    for each in files:
        by_name.setdefault(os.path.basename(each), []).append(each)
    seen, todo = set[str](), [file]
    while todo:
        current = todo.pop()
        for name in said(current).includes:
            for target in by_name.get(os.path.basename(name), ()):
                if target not in seen and _includes(current, target):
                    seen.add(target)
                    todo.append(target)
    return seen


def _includes(file: str, target: str) -> bool:
    if os.path.basename(target) not in (text_of(file) or ""):
        return False
    folder = os.path.dirname(file)
    for name in said(file).includes:
        if os.path.basename(name) != os.path.basename(target):
            continue
        beside = os.path.realpath(os.path.join(folder, name))
        if beside == target or (not os.path.exists(beside) and target.endswith(os.sep + name)):
            return True
    return False


def said(file: str) -> Told:
    """What a file says of includes and kernels. One that cannot be read says nothing."""
    try:
        status = os.stat(file)
        return _said(file, status.st_mtime_ns) if status.st_size <= MAX_BYTES else NOTHING
    except OSError:
        return NOTHING


@cache
def _said(file: str, changed: int) -> Told:
    with open(file, encoding="utf-8-sig", errors="replace") as stream:
        text = stream.read()
    text = with_arrows(uncommented(text))
    declares, defines = set[str](), set[str]()
    for head in GLOBAL.finditer(text) if "__global__" in text else ():
        name = next((each for each in NAME.findall(head[0]) if each not in NOT_NAMES), None)
        if name is not None:
            (defines if text[head.end():head.end() + 1] == "{" else declares).add(name)
    launches = frozenset(LAUNCH.findall(text)) if "<<<" in text else frozenset()
    return Told(tuple(INCLUDE.findall(text)), launches, frozenset(declares), frozenset(defines))


def upwards(folder: str, root: str) -> Iterator[str]:
    """A folder and those above it, up to a root."""
    while True:
        yield folder
        if folder == root or os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)


def areas(path: str, stated: str | None, most: int = MAX_FILES) -> Iterator[tuple[str, ...]]:
    """The texts under the file's folder, then under the one above it, and so on up to the project's, unless too many."""
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root_of(path, stated)):
        files = _under(folder, most)
        if files is None:
            return
        yield files


def area_top(folder: str, root: str) -> str:
    """The highest of the folders that `areas` comes to from one."""
    top = folder
    for each in upwards(folder, root):
        if _under(each) is None:
            break
        top = each
    return top


@cache
def _under(folder: str, most: int = MAX_FILES) -> tuple[str, ...] | None:
    """The C++ and CUDA texts of a folder tree, hidden folders and links left out; None if it holds too much."""
    found: list[str] = []
    entries, todo = 0, [folder]
    while todo:
        here = _listed(todo.pop())
        entries += here.entries
        found += here.texts
        if len(found) > most or entries > most * ENTRIES_PER_FILE:
            return None
        todo += here.folders[::-1]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Listed:
    """What is in a folder: texts and folders, by name, without links and hidden folders; how many entries, links among them."""

    texts: tuple[str, ...]
    folders: tuple[str, ...]
    entries: int


@cache
def _listed(folder: str) -> Listed:
    """A folder's own entries, asked once for all areas that it is part of; none of one that cannot be read."""
    texts, folders, count = list[str](), list[str](), 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_folder = _is_folder(entry)
            if is_folder and entry.name.startswith("."):
                continue
            count += 1
            if (is_folder or entry.name.endswith(UNITS + HEADERS)) and not entry.is_symlink():
                (folders if is_folder else texts).append(entry.path)
    return Listed(tuple(sorted(texts)), tuple(sorted(folders)), count)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False
