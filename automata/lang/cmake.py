"""What a project's CMake files say of how a CUDA text is compiled, where they say so plainly.

In: a file and its project's folder. Out: the macros that hold for it. CMake is a language, and its files are not run. A macro is
taken only if a command that is understood gives it, and no other command of these files may give it another value, or take it
away:

- `add_definitions`, `add_compile_definitions` and `-D` in `CMAKE_CUDA_FLAGS` of the folder whose file lists the text (of the
  nearest one, if none does), or of a folder above whose file goes on to that folder behind the command: a folder inherits what
  holds where `add_subdirectory` stands. `CMAKE_CXX_FLAGS` and `CUDA_NVCC_FLAGS` are those of `cuda_add_library` and its like;
- `target_compile_definitions` of all targets that list the file, `PRIVATE` or `PUBLIC`: what is `INTERFACE` is for others.

A command counts if its conditions hold where the file is compiled: those around every command that lists the file; where nothing
makes CUDA a language or looks for it without a condition, the conditions behind which that is done; an `option` at what it is
unless somebody says otherwise, behind the command that makes it one. What stands behind a `return`, in a loop or a function does
not count. A command that does not count may still give a macro another value, if it is not known to be left out: then the macro
is left out.
What is taken is printed with the verdict. Source: the manuals cmake-commands(7) and cmake-properties(7).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from automata.lang.cmake_files import ENDING, FALSE, LISTS, OLD_FUNCTION, Command, commands_of, here
from automata.lang.compile_commands import Flags
from automata.lang.project import upwards

__all__ = ["ENDING", "LISTS", "flags_of_cmake"]

FOR_CUDA = re.compile(r"\$<\$<COMPILE_LANGUAGE:CUDA>:([^<>$]*)>")
MACRO = re.compile(r"(?:-D)?([A-Za-z_]\w*)(?:=([^$<>;\\\"]*))?")
OF_FOLDERS = {"add_definitions", "add_compile_definitions"}
OF_TARGETS = {"target_compile_definitions", "target_compile_options"}
DEFINING = {*OF_FOLDERS, "target_compile_definitions"}
SCOPES = {"PRIVATE", "PUBLIC", "INTERFACE"}
OF_LANGUAGE, OF_FIND_CUDA = {"CMAKE_CUDA_FLAGS"}, {"CMAKE_CXX_FLAGS", "CUDA_NVCC_FLAGS"}
LISTING = re.compile(r"(?:cuda_)?add_(?:library|executable)|hip_add_\w+|target_sources|cuda_compile\w*")
OTHER_DEVICES = {"HIP", "ROCM", "SYCL"}


def flags_of_cmake(path: str, root: str) -> Flags | None:
    """The macros that the CMake files from the file's folder up to the project's give; None where they give none."""
    build = _Build(os.path.realpath(path), root)
    defines = build.macros() if build.is_plain else {}
    if not defines:
        return None
    given = {build.commands[at].folder for at in build.counted}
    return Flags(defines=defines, where=os.path.join(next(each for each in build.folders if each in given), LISTS))


@dataclass
class _Build:
    """What CMake files say of a text. `folders`: those with such files, the nearest first; `counted`: the commands that give
    macros."""

    file: str
    root: str
    folders: list[str] = field(default_factory=list)
    counted: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        above = upwards(os.path.dirname(self.file), self.root)
        self.folders = [folder for folder in above if os.path.isfile(os.path.join(folder, LISTS))]

    @cached_property
    def commands(self) -> list[Command]:
        """The commands of all files, those of the outermost first."""
        return [each for folder in reversed(self.folders) for each in commands_of(folder, self.root)]

    @cached_property
    def listing(self) -> list[Command]:
        """The commands that make targets of the file."""
        return [each for each in self.commands if LISTING.fullmatch(each.name) and each.names(self.file)]

    @cached_property
    def by_find_cuda(self) -> bool:
        """Whether CUDA's old functions make the targets, not CUDA as a language."""
        return any(OLD_FUNCTION.fullmatch(each.name) for each in self.listing or self.commands)

    @property
    def is_plain(self) -> bool:
        """Whether the file is compiled as CUDA, by targets and folders whose definitions nothing sets as a whole."""
        about = [each for each in self.commands if not self.is_left_out(each) and "COMPILE_DEFINITIONS" in each.words]
        whole = [each for each in about if "APPEND" not in each.words
                 and each.name not in ("get_property", "get_target_property", "set_source_files_properties")]
        named = any(each.names(self.file) and "LANGUAGE" in each.words for each in self.commands)
        return not named and all(self._is_of_another(each) for each in whole)

    def _is_of_another(self, command: Command) -> bool:
        """Whether a command sets properties of targets that do not list the file."""
        words = command.words[1:] if command.first == "TARGET" else (
            command.words if command.name == "set_target_properties" else ())
        end = next((at for at, word in enumerate(words) if word in ("PROPERTIES", "PROPERTY")), 0)
        named = words[:end]
        return end > 0 and bool(self.listing) and not set(named) & self.targets and not any("$" in each for each in named)

    @cached_property
    def targets(self) -> set[str]:
        return {each.first for each in self.listing}

    # Conditions

    @cached_property
    def known(self) -> set[str]:
        """The conditions that hold where the file is compiled, but for options."""
        behind = [set(each.behind) for each in self.listing]
        known = set.intersection(*behind) if behind else set[str]()
        if not any(set(each.behind) <= known for each in self.commands if each.says_cuda()):
            for each in self.commands:
                if each.says_cuda() and not _parts(each.behind[-1]) & OTHER_DEVICES and set(each.behind[:-1]) <= known:
                    known.add(each.behind[-1])
        return known

    @cached_property
    def options(self) -> dict[str, int]:
        """The conditions that options decide, each with the command behind which it holds."""
        found: dict[str, int] = {}
        for at, each in enumerate(self.commands):
            if each.name != "option" or not each.words or each.behind:
                continue
            others = [other for other in self.commands if other is not each and other.first == each.first
                      and other.name in ("set", "unset", "option", "cmake_dependent_option")]
            if not others and self._is_reached(at):
                is_on = len(each.words) > 2 and each.words[-1].upper() not in {*FALSE, "IGNORE"}
                found[each.first if is_on else f"NOT {each.first}"] = at
        return found

    def holds(self, at: int) -> bool:
        """Whether the conditions of a command hold."""
        return self._is_reached(at) and all(condition in self.known or self.options.get(condition, at) < at
                                            for condition in self.commands[at].behind)

    def is_left_out(self, command: Command) -> bool:
        """Whether a command is certainly not run: behind what is no, an option that is off, or for another kind of device."""
        place = next(at for at, each in enumerate(self.commands) if each is command)
        known = {*self.known, *(text for text, at in self.options.items() if at < place)}
        return any(each.upper() in FALSE or f"NOT {each}" in known or each.removeprefix("NOT ") in known - {each}
                   or (_parts(each) & OTHER_DEVICES and not {"NOT", "OR"} & _parts(each)) for each in command.behind)

    def _is_reached(self, at: int) -> bool:
        """Whether no `return` may come before a command of one folder."""
        folder = self.commands[at].folder
        return not any(each.name == "return" and each.folder == folder and not self.is_function(each)
                       for each in self.commands[:at])

    def is_function(self, command: Command) -> bool:
        return any(each.startswith("function ") for each in command.behind)

    # Folders

    @cached_property
    def home(self) -> str | None:
        """The folder whose definitions the file has; None where that is not one."""
        found = {each.folder for each in self.listing}
        made = {each.first for each in self.listing if each.name != "target_sources"}
        for each in self.commands:
            if each.name in ("add_library", "add_executable") and each.folder in found:
                made.add(each.first)
        if not found:
            return self.folders[0] if self.folders else None
        return found.pop() if len(found) == 1 and self.targets <= made else None

    def reaches(self, at: int) -> bool:
        """Whether what a command says of its folder holds for the file: it is the file's, or goes on to it behind the command."""
        folder, home = self.commands[at].folder, self.home
        while home is not None and folder != home:
            outer = next((each for each in self.folders if home.startswith(each + os.sep)), None)
            entered = [place for place, each in enumerate(self.commands) if each.folder == outer and self._enters(each, home)]
            if outer is None or len(entered) != 1 or not self._is_reached(entered[0]) or (folder == outer and entered[0] < at):
                return False
            home = outer
        return home is not None

    def _enters(self, command: Command, folder: str) -> bool:
        return command.name == "add_subdirectory" and os.path.realpath(
            os.path.join(command.folder, here(command.first, command.folder, self.root))) == folder

    # Macros

    def macros(self) -> dict[str, str]:
        """The macros that hold, each with its one value."""
        given: dict[str, str] = {}
        unsure = set[str]()
        for at, each in enumerate(self.commands):
            for name, text in self._given(at, each):
                self.counted.add(at)
                if "$" in text or given.setdefault(name, text) != text:
                    unsure.add(name)
        return {name: text for name, text in given.items() if name not in unsure and not self._is_doubted(name, text)}

    def _given(self, at: int, command: Command) -> Iterator[tuple[str, str]]:
        """The macros that a command certainly gives to the file."""
        words: tuple[str, ...] = ()
        if command.name in OF_FOLDERS and self.reaches(at):
            words = command.words
        elif command.name == "set" and command.first in self._variables() and self.reaches(at) and self._stays(at):
            words = tuple(word for each in command.words[1:] for word in each.split() if word.startswith("-D"))
        elif command.name == "target_compile_definitions" and self.targets == {command.first}:
            words = _own(command.words)
        if not words or not self.holds(at):
            return
        for word in words:
            given = FOR_CUDA.sub(lambda match: match[1], word)
            match = MACRO.fullmatch(given)
            if match is not None and given != "BEFORE":
                yield match[1], match[2] if match[2] is not None else "1"
            elif (named := re.match(r"(?:-D)?([A-Za-z_]\w*)=", given)) is not None:
                yield named[1], "$"

    def _variables(self) -> set[str]:
        return OF_FIND_CUDA if self.by_find_cuda else OF_LANGUAGE

    def _stays(self, at: int) -> bool:
        """Whether what is put into a variable of flags stays there: nobody sets it anew behind that, or changes it."""
        name, kept = self.commands[at].first, f"${{{self.commands[at].first}}}"
        if {"CACHE", "PARENT_SCOPE"} & set(self.commands[at].words):
            return False
        later = (each for each in self.commands[at + 1:] if name in each.words and not self.is_left_out(each))
        return all(each.name == "set" and each.first == name and any(kept in word for word in each.words[1:]) for each in later)

    def _is_doubted(self, name: str, text: str) -> bool:
        """Whether another command may give a macro another value, or take it away."""
        said = re.compile(rf"(?<![\w.])(-[DU])?{name}(?!\w)(?:=([^$<>;\s]*))?")
        for at, each in enumerate(self.commands):
            removes = any(word.startswith(f"-U{name}") for word in each.words)
            if (at in self.counted and not removes) or each.name in ("message", "option", "project") or self.is_left_out(each):
                continue
            is_about = each.name in DEFINING or any(word.startswith("COMPILE_") for word in each.words)
            for found in (found for word in self._passed_on(each) for found in said.finditer(word)):
                is_meant = is_about or found[1] is not None or found[2] is not None
                is_same = found[1] != "-U" and (found[2] if found[2] is not None else "1") == text
                if each.name == "remove_definitions" or (is_meant and not is_same):
                    return True
        return False

    def _passed_on(self, command: Command) -> tuple[str, ...]:
        """The words of a command that may concern the file: of another target those that it hands on."""
        if command.name not in OF_TARGETS or not self.targets or command.first in self.targets or "$" in command.first:
            return command.words
        return _own(command.words, {"PUBLIC", "INTERFACE"})


def _parts(condition: str) -> set[str]:
    """The words that names in a condition are made of; none of what stands for an `else` or a body."""
    return set() if os.sep in condition else set(re.split(r"[\W_]+", condition.upper()))


def _own(words: tuple[str, ...], scopes: frozenset[str] | set[str] = frozenset({"PRIVATE", "PUBLIC"})) -> tuple[str, ...]:
    """The words of a target's command that stand in these scopes."""
    scope, found = "", list[str]()
    for word in words[1:]:
        if word in SCOPES:
            scope = word
        elif scope in scopes:
            found.append(word)
    return tuple(found)
