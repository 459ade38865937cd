"""Which file of a revision an include means.

In: the texts of a revision and their includes. Out: for each text the files that its includes may mean. A file beside the text
is meant if there is one; else one in the folders that readers search: those above the text and their `include`, those that a
build names, and at last any whose path ends so, in the tree around the text that is searched for headers
(`automata.lang.project.areas`). Where several may be meant, all are: of a header nobody knows the folders of the unit that
includes it. Files of the other revision count as well: one that came or went changes what is meant.
"""

from __future__ import annotations

import os
import posixpath
from functools import cached_property

from automata.lang.compile_commands import NAME, all_includes
from automata.lang.makefiles import flags_of_make
from automata.lang.project import UNITS, area_top


class Includes:
    """How includes are resolved. `names`: the texts of both revisions; `root`: the folder of this one."""

    def __init__(self, root: str, names: frozenset[str]) -> None:
        self.root, self.names = root, names
        self._flags: dict[str, tuple[str, ...]] = {}
        self._tops: dict[str, str] = {}

    @cached_property
    def by_end(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.names:
            found.setdefault(posixpath.basename(name), []).append(name)
        return found

    @cached_property
    def built(self) -> tuple[str, ...]:
        """The folders that databases of compile commands name."""
        found = dict.fromkeys(folder for name in self.names if posixpath.basename(name) == NAME
                              for folder in all_includes(os.path.join(self.root, name), self.root))
        return tuple(os.path.relpath(folder, self.root) for folder in found)

    def meant(self, text: str, include: str) -> list[str]:
        """The files that an include of a text may mean."""
        folder = posixpath.dirname(text)
        beside = posixpath.normpath(posixpath.join(folder, include))
        if beside in self.names:
            return [beside]
        ends = self.by_end.get(posixpath.basename(include), ())
        if not ends:
            return []
        folders = (*_above(folder), *self.built, *self._of_make(folder))
        paths = (posixpath.normpath(posixpath.join(each, include)) for each in folders)
        found = dict.fromkeys(path for path in paths if path in self.names)
        if not found or not text.endswith(UNITS):
            top, tail = self.top(folder), "/" + posixpath.normpath(include).lstrip("./")
            found |= dict.fromkeys(name for name in ends if f"/{name}".endswith(tail) and is_under(name, top))
        return list(found)

    def top(self, folder: str) -> str:
        """The highest folder around a text that is searched for what belongs to it."""
        if folder not in self._tops:
            top = area_top(os.path.join(self.root, folder), self.root)
            self._tops[folder] = "" if top == self.root else os.path.relpath(top, self.root)
        return self._tops[folder]

    def _of_make(self, folder: str) -> tuple[str, ...]:
        if folder not in self._flags:
            flags = flags_of_make(os.path.join(self.root, folder, "any.cu"), self.root)
            self._flags[folder] = tuple(os.path.relpath(each, self.root) for each in flags.includes) if flags else ()
        return self._flags[folder]


def is_under(name: str, folder: str) -> bool:
    return not folder or name.startswith(folder + "/")


def _above(folder: str) -> list[str]:
    """A folder and those above it, each with its `include`."""
    found = []
    while True:
        found += [folder, posixpath.join(folder, "include")]
        if not folder:
            return found
        folder = posixpath.dirname(folder)

