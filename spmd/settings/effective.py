"""What holds for a kernel, and where each value came from.

In: a settings file, a source file and a kernel's name. Out: the values of every table of it that speaks of this kernel, a later
one before an earlier one, and those of the file as a whole. Lists that name facts (requirements) add up; launches, outputs and
instantiations are those of the last table that has any.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from automata.lang.launch import Launch
from automata.lang.project import root_of
from automata.place import InputError, Place
from spmd.settings.keys import KEYS
from spmd.settings.read import File, Table, find_file, launch_of


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it came from."""

    value: Any
    origin: str


@dataclass(frozen=True)
class Pair:
    """A configured pair. `original`, `optimised`: as on the command line, from the file's folder."""

    original: str
    optimised: str
    table: Table
    origin: str


@dataclass(frozen=True)
class Settings:
    """The settings of a project; `file` None: all is default."""

    file: File | None = None
    notes: tuple[str, ...] = field(default=())

    def whole(self, name: str) -> Value:
        """A value for everything."""
        if self.file is not None and name in self.file.values:
            return Value(self.file.values[name], self.file.at("", name))
        default = next((key.default for key in KEYS if key.where == "file" and key.name == name), "")
        return Value({"": None, "true": True, "false": False}.get(default, default), "default")

    def of(self, path: str, kernel: str, name: str) -> Value:
        """A value for one kernel of a file."""
        for at, table in self._tables(path, kernel):
            if name in table:
                return Value(table[name], self.file.at(f"kernel {at}", name) if self.file else "")
        return self.whole(name)

    def launches(self, path: str, kernel: str) -> list[Launch]:
        """The launches stated for a kernel, with what is required beside them; one that states no sizes, where only that is."""
        if self.file is None:
            return []
        required: list[str] = []
        stated: list[Launch] = []
        where = ""
        for at, table in self._tables(path, kernel):
            required += [text for text in table.get("require", ()) if text not in required]
            here = self.file.at(f"kernel {at}", "launches" if "launches" in table else "require")
            if "launches" in table and not stated:
                items = table["launches"] if isinstance(table["launches"], list) else [table["launches"]]
                stated = [launch_of(item, here) for item in items]
            where = where or (here if "require" in table or "launches" in table else "")
        if not stated and required:
            stated = [Launch(source=where, is_of_kernel=True)]
        return [replace(launch, requires=(*launch.requires, *required)) for launch in stated]

    def instances(self, path: str, stem: str) -> list[str]:
        """The template arguments that are asked for."""
        for _, table in self._tables(path, stem):
            if "template-args" in table:
                return list(table["template-args"])
        return []

    def defines(self) -> dict[str, str]:
        return {name: str(value) for name, value in (self.whole("define").value or {}).items()}

    def includes(self) -> tuple[str, ...]:
        if self.file is None:
            return ()
        return tuple(os.path.join(os.path.dirname(self.file.path) or ".", folder) for folder in self.whole("include").value or ())

    def pairs(self) -> list[Pair]:
        """The configured pairs."""
        if self.file is None:
            return []
        folder = _as_typed(self.file.folder)
        return [Pair(os.path.join(folder, table["original"]), os.path.join(folder, table["optimised"]), table,
                     self.file.at(f"pair {at}", "original")) for at, table in enumerate(self.file.values.get("pair", ()))]

    def files(self) -> list[str]:
        """The files that the globs of kernels name, from where the user stands."""
        if self.file is None:
            return []
        from glob import glob

        found: dict[str, None] = {}
        for table in self.file.values.get("kernel", ()):
            for pattern in table.get("files", ()):
                names = glob(pattern, root_dir=self.file.folder, recursive=True)
                found |= dict.fromkeys(sorted(os.path.relpath(os.path.join(self.file.folder, name)) for name in names))
        return [name for name in found if os.path.isfile(name)]

    def _tables(self, path: str, kernel: str) -> Iterator[tuple[int, Table]]:
        """The tables that speak of a kernel, the last first."""
        if self.file is None:
            return
        inner = os.path.relpath(os.path.realpath(path), self.file.folder)
        stem = kernel.partition("<")[0].strip()
        for at, table in reversed(list(enumerate(self.file.values.get("kernel", ())))):
            if any(_matches(inner, glob) for glob in table.get("files", ["**"])) and any(
                    fnmatchcase(stem, glob) or fnmatchcase(kernel.replace(" ", ""), glob.replace(" ", ""))
                    for glob in table.get("names", ["*"])):
                yield at, table


def _as_typed(folder: str) -> str:
    """A folder from where the user stands, if it lies there."""
    inner = os.path.relpath(folder)
    return folder if inner.startswith(os.pardir) else "" if inner == os.curdir else inner


def _matches(path: str, glob: str) -> bool:
    """Whether a path fits a glob; `**/` stands for any folders, none too."""
    return fnmatchcase(path, glob) or ("**/" in glob and fnmatchcase(path, glob.replace("**/", "")))


NONE = Settings()


def settings_for(path: str, project: str | None = None) -> Settings:
    """The settings for a file or folder. InputError for ones that are wrong."""
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    inside = os.path.join(folder, "any")
    if not os.path.isdir(folder):
        raise InputError("no such file or folder", Place(path, 0, 0))
    return Settings(find_file(folder, root_of(inside, project)))
