"""Headers of the project that no search path names.

In: names of headers that were not found, and the file that asked. Out: folders in which they lie. Builds name folders with `-I`
in ways that only they understand; but where just one file of the project goes by a header's name, it is the one that is meant.
The search starts in the file's own folder and widens by one folder at a time, as for other texts of the project; two candidates
in one area are none. Only where a project holds copies of its own tree (`control/a.h` and `old/control/a.h`) the kernel's text
takes that of the tree it is in itself, and it is said that there are others. A text with a directive that C does not have is
none either: a part of a Makefile may be called `config.h` and would hide all that follows its `#include`. What was found is
printed with the verdict, folder by folder.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from glob import glob

from automata.lang.excluded import COMMENT
from automata.lang.foreign import TEMPLATE
from automata.lang.project import areas, root_of, upwards
from automata.lang.source import read_raw
from automata.place import InputError

ROUNDS = 6
MOST = 4
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*([A-Za-z_]\w*)", re.M)
OPEN, CLOSED = frozenset({"if", "ifdef", "ifndef"}), "endif"
DIRECTIVES = OPEN | {CLOSED, "define", "undef", "include", "include_next", "import", "elif", "elifdef", "elifndef", "else",
                     "error", "warning", "line", "pragma", "ident", "sccs", "assert", "unassert", "embed"}
MOST_NAMES = 10_000
"""Of how many files the names are looked at: nothing is read of them."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders with the headers that led to them, and the folders that are the nearest of several with a header."""

    folders: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    nearest: tuple[tuple[str, str], ...] = ()

    def with_header(self, folder: str, name: str) -> Places:
        if folder not in self.folders:
            return replace(self, folders=(*self.folders, folder), names=(*self.names, (name,)))
        at = self.folders.index(folder)
        return replace(self, names=(*self.names[:at], (*self.names[at], name), *self.names[at + 1:]))

    def told(self) -> tuple[str, ...]:
        """What was taken from where, as assumptions of the verdict."""
        found = [f"of several files called {name} that of {os.path.relpath(folder)} is meant, not a copy's"
                 for folder, name in self.nearest]
        for folder, names in zip(self.folders, self.names, strict=True):
            more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
            found.append(f"headers are looked for in {os.path.relpath(folder)} too, for the project has "
                         f"{', '.join(names[:MOST])}{more} nowhere else")
        return tuple(found)


NO_PLACES = Places()


def place_of(name: str, path: str, stated: str | None) -> str | None:
    """The folder that an include path must name for a header to be found; None if no file or several go by its name."""
    tail = os.sep + os.path.normpath(name)
    if os.path.isabs(name) or tail.startswith(os.sep + os.pardir):
        return None
    for files in areas(path, stated, MOST_NAMES):
        found = [file for file in files if file.endswith(tail)]
        if found:
            return os.path.realpath(found[0][:-len(tail)]) if len(found) == 1 and is_header(found[0]) else None
    return None


def nearest_of(name: str, path: str, stated: str | None) -> str | None:
    """The folder of the one of several files of a header's name that all others are copies of, as far as their places go: they
    lie at the same place in a copy of the tree, further in. None where that is not so, or one alone goes by the name."""
    tail = os.sep + os.path.normpath(name)
    if os.path.isabs(name) or tail.startswith(os.sep + os.pardir):
        return None
    own = os.path.dirname(os.path.realpath(path))
    for files in areas(path, stated, MOST_NAMES):
        found = sorted((os.path.realpath(file) for file in files if file.endswith(tail)), key=len)
        if found:
            first, *others = found
            is_one = others and is_header(first) and all(_is_copied(first, other, own) for other in others)
            return first[:-len(tail)] if is_one else None
    return None


def _is_copied(first: str, other: str, own: str) -> bool:
    """Whether a file lies in a copy of the tree at the place where the first lies in the tree that a folder belongs to."""
    shared = os.path.commonpath((first, other, own))
    return other.endswith(first[len(shared):]) and not own.startswith(other[:-len(first[len(shared):])] + os.sep)


def template_of(header: str, path: str, stated: str | None) -> str | None:
    """The folder of the template from which the build writes a header, `config.h.in`: the nearest above a text, or in a folder
    beside its folders; None where there is none or several are as near."""
    if re.fullmatch(r"[\w.-]+", header) is None:
        return None
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root_of(path, stated)):
        here = glob(header + TEMPLATE, root_dir=folder) + glob(os.path.join("*", header + TEMPLATE), root_dir=folder)
        if here:
            return os.path.dirname(os.path.realpath(os.path.join(folder, here[0]))) if len(here) == 1 else None
    return None


def is_header(path: str) -> bool:
    """Whether a file may be a header of C: it has no other directive outside of conditions."""
    try:
        text = COMMENT.sub(" ", read_raw(path))
    except InputError:
        return False
    depth = 0
    for match in DIRECTIVE.finditer(text):
        depth += (match[1] in OPEN) - (match[1] == CLOSED)
        if depth == 0 and match[1] not in DIRECTIVES:
            return False
    return True
