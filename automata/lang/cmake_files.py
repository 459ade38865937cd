"""The commands of a project's CMake files, each with the conditions around it and the file that says it.

In: a folder with a CMake file. Out: its commands in their order, those of the files of the project that it includes in between.
Nothing is run: a variable is its name, but for those that name folders. Source of the syntax: the manual cmake-language(7).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from automata.lang.source import is_inside

LISTS = "CMakeLists.txt"
ENDING = ".cmake"
MAX_BYTES = 1_000_000
DEPTH = 4
MOST_KEPT = 200
TOKEN = re.compile(r"\#\[(=*)\[.*?\]\1\]|\#[^\n]*|\[(=*)\[.*?\]\2\]|\"(?:[^\"\\]|\\.)*\"|[()]|[^\s()\"#]+", re.S)
BODIES = {"function": "endfunction", "macro": "endmacro", "foreach": "endforeach", "while": "endwhile"}
OLD_FUNCTION = re.compile(r"cuda_(?:add|compile)\w*")
"""What makes targets where CUDA is no language of CMake's."""
FALSE = {"0", "OFF", "NO", "FALSE", "N"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command with the conditions around it, the first the outermost. `folder`: that of the file for which CMake reads it."""

    name: str
    words: tuple[str, ...]
    behind: tuple[str, ...]
    folder: str

    @property
    def first(self) -> str:
        return self.words[0] if self.words else ""

    def makes_cuda(self) -> bool:
        """Whether CUDA is one of the project's languages behind the command."""
        return self.name in ("enable_language", "project") and "CUDA" in (word.upper() for word in self.words)

    def says_cuda(self) -> bool:
        """Whether the command is of a build with CUDA alone."""
        is_looked_for = self.name == "find_package" and self.first.upper() in ("CUDA", "CUDATOOLKIT")
        return self.makes_cuda() or is_looked_for or OLD_FUNCTION.fullmatch(self.name) is not None

    def names(self, file: str) -> bool:
        """Whether a word is a path to the file, from the command's folder."""
        last = os.path.basename(file)
        return any(word.endswith(last) and os.path.realpath(os.path.join(self.folder, _bare(word))) == file
                   for word in self.words)


def commands_of(folder: str, root: str) -> list[Command]:
    """The commands of a folder's CMake file."""
    return list(_commands(os.path.join(folder, LISTS), folder, root, (), DEPTH))


def _commands(file: str, folder: str, root: str, behind: tuple[str, ...], depth: int) -> Iterator[Command]:
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
            yield Command(name, words, tuple(held), folder)
        if name == "include" and words and depth:
            other = os.path.realpath(os.path.join(folder, here(words[0], folder, root)))
            if other.endswith(ENDING) and is_inside(other, root):
                yield from _commands(other, folder, root, tuple(held), depth - 1)


def here(word: str, folder: str, root: str) -> str:
    """A path with CMake's names of the folders put in."""
    return re.sub(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR|(?:PROJECT|CMAKE)_SOURCE_DIR)\}",
                  lambda match: folder if "CURRENT" in match[0] else root, word)


def _bare(word: str) -> str:
    return re.sub(r"^\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}/?", "", word)


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
        found.append((name, tuple(_unquoted(token) for token in tokens[at + 2:end - 1])))
        at = end
    return found


def _unquoted(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] == '"' else token
