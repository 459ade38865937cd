"""How a project compiles a file: the macros and folders that its `compile_commands.json` gives.

In: a file and its project's folder. Out: `-D` and `-I` as the build has them. The database is looked for in the folders from the
source's up to the project's, and in the build folders beside them (`build`, `out`, `cmake-build-*`). Taken are macros and folders
of headers inside the project: CUDA's own headers and the system's are stood for by ours. Everything else that compilers and nvcc
are told (warnings, architectures, optimisation) changes nothing that is decided here. Forced includes are named, not read.
Source of the format: Clang 17, "JSON Compilation Database Format Specification".
"""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from automata.lang.project import upwards
from automata.lang.source import is_inside
from automata.place import InputError, Place

NAME = "compile_commands.json"
BUILDS = re.compile(r"build|out|_build|cmake-build-.*|build[-_].*", re.I)
MAX_BYTES = 64_000_000
ATTACHED = ("-isystem", "-include", "-iquote", "-D", "-U", "-I")
ALIASES = {"--define-macro": "-D", "--undefine-macro": "-U", "--include-path": "-I", "--system-include": "-isystem",
           "--pre-include": "-include"}


@dataclass
class Flags:
    """What a command says. `forced`: headers that it includes before the text; `where`: the file that says it; `said`: at
    which place of it."""

    defines: dict[str, str] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)
    where: str = ""
    said: str = ""


def flags_of(path: str, root: str) -> Flags | None:
    """How a project compiles a file; None where it does not say. InputError for a database that cannot be read."""
    real = os.path.realpath(path)
    for database in _databases(os.path.dirname(real), root):
        for entry in _entries(database):
            file = str(entry.get("file", ""))
            folder = os.path.join(os.path.dirname(database), str(entry.get("directory", "")))
            if os.path.basename(file) == os.path.basename(path) and os.path.realpath(os.path.join(folder, file)) == real:
                return _read(_words(entry, database), folder, root, database)
    return None


def all_includes(database: str, root: str) -> list[str]:
    """The folders inside a project that the commands of a database search for headers."""
    found: dict[str, None] = {}
    for entry in _entries(database):
        folder = os.path.join(os.path.dirname(database), str(entry.get("directory", "")))
        found |= dict.fromkeys(_read(_words(entry, database), folder, root, database).includes)
    return list(found)


def built_as(flags: Flags) -> str:
    """What is taken from a build, as an assumption of the verdict."""
    forced = f"; not read: {', '.join(flags.forced)}, which it includes before the text" if flags.forced else ""
    macros = " ".join(f"-D{name}" + (f"={text}" if text != "1" else "") for name, text in flags.defines.items())
    place = f" ({flags.said})" if flags.said else ""
    return f"compiled as {os.path.relpath(flags.where)}{place} says{f': {macros}' if macros else ''}{forced}"


def _databases(folder: str, root: str) -> list[str]:
    found = []
    for each in upwards(folder, root):
        beside = sorted(name for name in os.listdir(each) if BUILDS.fullmatch(name))
        found += [path for build in ("", *beside) if os.path.isfile(path := os.path.join(each, build, NAME))]
    return found


def _entries(database: str) -> list[dict[str, Any]]:
    try:
        status = os.stat(database)
    except OSError as error:
        raise InputError(f"cannot read {NAME}: {error}", Place(database, 0, 0)) from error
    if status.st_size > MAX_BYTES:
        raise InputError(f"{NAME} has more than {MAX_BYTES} bytes", Place(database, 0, 0))
    return _decoded(database, status.st_mtime_ns)


@cache
def _decoded(database: str, changed: int) -> list[dict[str, Any]]:
    """The entries; one text may be asked about with the one that includes it."""
    try:
        with open(database, encoding="utf-8", errors="replace") as stream:
            entries = json.load(stream)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {NAME}: {error}", Place(database, 0, 0)) from error
    if not isinstance(entries, list):
        raise InputError(f"{NAME} is not a list of commands", Place(database, 0, 0))
    return [entry for entry in entries if isinstance(entry, dict)]


def _words(entry: dict[str, Any], database: str) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(word) for word in arguments]
    try:
        return shlex.split(str(entry.get("command", "")))
    except ValueError as error:
        raise InputError(f"{NAME}: a command that no shell takes: {error}", Place(database, 0, 0)) from error


def _read(words: list[str], folder: str, root: str, where: str) -> Flags:
    flags = Flags(where=where)
    at = 1
    words = [word for each in words for word in _opened(each, folder, root)]
    while at < len(words):
        word = words[at]
        at += 1
        name, equals, value = word.partition("=")
        if name in ALIASES and equals:
            take(flags, ALIASES[name], value, folder, root)
            continue
        option = ALIASES.get(word) or next((each for each in ATTACHED if word.startswith(each)), None)
        if option is None:
            continue
        value = word[len(option):].removeprefix("=") if word not in ALIASES else ""
        if not value and at < len(words):
            value, at = words[at], at + 1
        take(flags, option, value, folder, root)
    return flags


def _opened(word: str, folder: str, root: str) -> list[str]:
    """A word, or those of the file of the project that it names."""
    name = word[1:] if word.startswith("@") else word.partition("=")[2] if word.startswith("--options-file=") else ""
    if not name:
        return [word]
    path = os.path.realpath(os.path.join(folder, name))
    if not is_inside(path, root):
        return []
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return shlex.split(stream.read(1_000_000))
    except (OSError, ValueError):
        return []


def take(flags: Flags, option: str, value: str, folder: str, root: str) -> None:
    """Add what one option says, if it is a macro or a folder inside the project."""
    if option == "-D":
        name, equals, text = value.partition("=")
        if re.fullmatch(r"[A-Za-z_]\w*", name) and "\n" not in text:
            flags.defines[name] = text if equals else "1"
    elif option == "-U":
        flags.defines.pop(value, None)
    elif option == "-include":
        flags.forced.append(value)
    else:
        path = os.path.realpath(os.path.join(folder, value))
        if is_inside(path, root) and os.path.isdir(path) and path not in flags.includes:
            flags.includes.append(path)
