"""What a project's CMake files say of how a CUDA text is compiled, where they say so plainly.

In: a file and its project's folder. Out: the macros that hold for it. CMake is a language, and its files are not run: taken are
definitions of a folder above the file (`add_definitions`, `add_compile_definitions`, `-D` in `CMAKE_CUDA_FLAGS` and its like)
and of the target that lists the file, whose words are written out, and behind whose conditions the file stands too:

- the conditions around every command that lists the file;
- those of a build with CUDA, since the text is one of CUDA: behind them CUDA is looked for or made a language;
- an `option` at what it is unless somebody says otherwise.

Everything behind another condition, an `else`, a loop or in a function is left out, and so is a macro with two values. A file
that another one includes stands behind the conditions of that. What is taken is printed with the verdict.
Source of the syntax: the manuals cmake-language(7) and cmake-commands(7).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from automata.lang.compile_commands import Flags
from automata.lang.project import upwards
from automata.lang.source import is_inside

LISTS = "CMakeLists.txt"
ENDING = ".cmake"
MAX_BYTES = 1_000_000
DEPTH = 4
MOST_KEPT = 200
TOKEN = re.compile(r"\#\[(=*)\[.*?\]\1\]|\#[^\n]*|\"(?:[^\"\\]|\\.)*\"|[()]|[^\s()\"#]+", re.S)
FOR_CUDA = re.compile(r"\$<\$<COMPILE_LANGUAGE:CUDA>:([^<>$]*)>")
MACRO = re.compile(r"(?:-D)?([A-Za-z_]\w*)(?:=([^$<>;]*))?")
DEFINING = {"add_definitions", "add_compile_definitions", "target_compile_definitions"}
BODIES = {"function": "endfunction", "macro": "endmacro", "foreach": "endforeach", "while": "endwhile"}
FLAGS = {"CMAKE_CUDA_FLAGS", "CMAKE_CXX_FLAGS", "CUDA_NVCC_FLAGS"}
OTHER_DEVICES = re.compile(r"HIP|ROCM|SYCL", re.I)


@dataclass(frozen=True, slots=True)
class _Command:
    """A command with the conditions around it, the first the outermost. `folder`: that of the file for which CMake reads it."""

    name: str
    words: tuple[str, ...]
    behind: tuple[str, ...]
    folder: str

    def says_cuda(self) -> bool:
        """Whether the command is of a build with CUDA alone."""
        first = self.words[0].upper() if self.words else ""
        languages = {word.upper() for word in self.words}
        return (self.name == "enable_language" and "CUDA" in languages) or self.name.startswith("cuda_add_") or (
            self.name == "find_package" and first in ("CUDA", "CUDATOOLKIT")) or (self.name == "project" and "CUDA" in languages)


def flags_of_cmake(path: str, root: str) -> Flags | None:
    """The macros that the CMake files from the file's folder up to the project's give; None where they give none."""
    real, found = os.path.realpath(path), list[_Command]()
    where = ""
    for folder in upwards(os.path.dirname(real), root):
        file = os.path.join(folder, LISTS)
        commands = list(_commands(file, folder, root, (), DEPTH))
        found += commands
        where = where or (file if any(each.name in DEFINING for each in commands) else "")
    known = _known(found, real)
    flags, unsure = Flags(where=where), set[str]()
    for name, text in (macro for each in found if set(each.behind) <= known for macro in _macros(each, real, found)):
        if "$" in text or flags.defines.setdefault(name, text) != text:
            unsure.add(name)
    flags.defines = {name: text for name, text in flags.defines.items() if name not in unsure}
    return flags if flags.defines and where else None


def _commands(file: str, folder: str, root: str, behind: tuple[str, ...], depth: int) -> Iterator[_Command]:
    """The commands of a CMake file, and of those of the project that it includes by their names."""
    held = list(behind)
    for number, (name, words) in enumerate(_parsed(file)):
        mark = f"{name} {file} {number}"
        if name == "if" or name in BODIES:
            held.append(" ".join(words) if name == "if" else mark)
        elif name in ("elseif", "else") and len(held) > len(behind):
            held[-1] = mark if name == "else" else f"{mark}: {' '.join(words)}"
        elif (name == "endif" or name in BODIES.values()) and len(held) > len(behind):
            held.pop()
        else:
            yield _Command(name, words, tuple(held), folder)
        if name == "include" and words and depth:
            other = os.path.realpath(os.path.join(folder, _here(words[0], folder, root)))
            if other.endswith(ENDING) and is_inside(other, root):
                yield from _commands(other, folder, root, tuple(held), depth - 1)


def _here(word: str, folder: str, root: str) -> str:
    """A path with CMake's names of the folders put in."""
    return re.sub(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR|(?:PROJECT|CMAKE)_SOURCE_DIR)\}",
                  lambda match: folder if "CURRENT" in match[0] else root, word)


def _parsed(file: str) -> list[tuple[str, tuple[str, ...]]]:
    """The commands of a file: their names in small letters, and their words without quotes."""
    try:
        status = os.stat(file)
        return _read(file, status.st_mtime_ns) if status.st_size <= MAX_BYTES else []
    except OSError:
        return []


@lru_cache(MOST_KEPT)
def _read(file: str, changed: int) -> list[tuple[str, tuple[str, ...]]]:
    """The commands of a file; many texts are asked about with the same ones."""
    with open(file, encoding="utf-8", errors="replace") as stream:
        tokens = [token for match in TOKEN.finditer(stream.read()) if not (token := match[0]).startswith("#")]
    at, found = 0, list[tuple[str, tuple[str, ...]]]()
    while at + 1 < len(tokens):
        if tokens[at + 1] != "(" or not re.fullmatch(r"[A-Za-z_]\w*", tokens[at]):
            at += 1
            continue
        name, depth, end = tokens[at].lower(), 1, at + 2
        while end < len(tokens) and depth:
            depth += {"(": 1, ")": -1}.get(tokens[end], 0)
            end += 1
        found.append((name, tuple(token.strip('"') for token in tokens[at + 2:end - 1])))
        at = end
    return found


def _known(commands: list[_Command], file: str) -> set[str]:
    """The conditions that hold where the file is compiled."""
    behind = [set(each.behind) for each in commands if _lists(each, file)]
    known = set.intersection(*behind) if behind else set[str]()
    options = {each.words[0]: each.words[-1].upper() if len(each.words) > 2 else "OFF"
               for each in commands if each.name == "option" and each.words and not each.behind}
    known |= {name if value in ("ON", "TRUE", "1") else f"NOT {name}" for name, value in options.items()}
    for each in commands:
        if each.says_cuda() and each.behind and not OTHER_DEVICES.search(each.behind[-1]) and set(each.behind[:-1]) <= known:
            known.add(each.behind[-1])
    return known


def _lists(command: _Command, file: str) -> bool:
    """Whether a command names the file, by its path from the command's folder."""
    last = os.path.basename(file)
    return any(word.endswith(last) and os.path.realpath(os.path.join(command.folder, _bare(word))) == file
               for word in command.words)


def _bare(word: str) -> str:
    return re.sub(r"^\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}/?", "", word)


def _macros(command: _Command, file: str, commands: list[_Command]) -> Iterator[tuple[str, str]]:
    """The macros that a command gives to the file."""
    words = command.words
    if command.name == "set" and words and words[0] in FLAGS:
        words = tuple(word for each in words[1:] for word in each.split() if word.startswith("-D"))
    elif command.name == "target_compile_definitions":
        targets = {each.words[0] for each in commands if each.words and _lists(each, file)}
        words = words[1:] if words and words[0] in targets else ()
    elif command.name not in DEFINING:
        return
    for word in words:
        given = FOR_CUDA.sub(lambda match: match[1], word)
        match = MACRO.fullmatch(given)
        if match is not None and given not in ("PRIVATE", "PUBLIC", "INTERFACE", "BEFORE"):
            yield match[1], match[2] if match[2] is not None else "1"
        elif "=" in given and (named := re.match(r"(?:-D)?([A-Za-z_]\w*)=", given)):
            yield named[1], "$"
