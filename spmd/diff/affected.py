"""Which texts a change can matter to: those that changed, those that see them, and those whose kernels they launch.

In: both revisions. Out: for each the texts whose kernels have to be read (`readable`). The rule errs on one side: a text is
read too often rather than not at all. A text is affected if

1. its blob changed, or one that it includes, directly or through others, changed, came or went;
2. a text that includes it is affected, for its macros and types may come from there;
3. a file changed that says how it is compiled or launched: the `compile_commands.json`, a Makefile or settings of a folder
   above it;
4. a text changed, or sees one that did, that launches a kernel of it, or that names a function or a variable at file level of a
   text which does: launches hang on what callers pass.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from automata.lang.compile_commands import NAME as DATABASE
from automata.lang.makefiles import NAMES as MAKEFILES
from automata.lang.project import COMMENT, HEADERS, UNITS, Told, said
from automata.lang.source import read_raw
from automata.place import InputError
from spmd.diff.export import KERNELS, TEXTS, WORDS, Exported
from spmd.diff.includes import Includes, is_under
from spmd.diff.revision import LINK, SUBMODULE, Revision
from spmd.diff.settings import is_settings_for

MARK = re.compile(r"\b(?:__global__|__kernel|kernel)\b")
NAMED = re.compile(r"([A-Za-z_]\w*)\s*(?=[(\[;=])")
WORD = re.compile(r"[A-Za-z_]\w*")
DEVICE = (".cu", ".cuh", *KERNELS)
EVERYWHERE = frozenset({"main", "if", "for", "while", "switch", "return", "sizeof", "defined", "__attribute__"})
"""Names that say nothing of who calls whom."""


def changed(old: Revision, new: Revision) -> frozenset[str]:
    """The files that are not the same in both."""
    names = old.entries.keys() | new.entries.keys()
    return frozenset(name for name in names if old.entries.get(name) != new.entries.get(name))


def submodules(old: Revision, new: Revision) -> list[str]:
    """The submodules that are at another commit."""
    return sorted(name for name in changed(old, new)
                  if any(name in side.entries and side.entries[name].mode.startswith(SUBMODULE) for side in (old, new)))


@dataclass(frozen=True)
class Texts:
    """The texts of one revision, and what they say. `others`: the names of the other one's; `twin`: that one, if it was looked
    at before: what is equal in both is looked at once."""

    side: Exported
    others: frozenset[str] = frozenset()
    twin: Texts | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.side.revision.entries if name.endswith(TEXTS) and self.side.has(name))

    @cached_property
    def told(self) -> dict[str, Told]:
        entries = self.side.revision.entries
        before = self.twin.side.revision.entries if self.twin is not None else {}
        known = self.twin.told if self.twin is not None else {}
        same = {name for name in known if entries.get(name) == before[name] and before[name].is_file}
        return {name: known[name] if name in same else said(self.side.path(name)) for name in self.names}

    @cached_property
    def includes(self) -> Includes:
        start = len(self.side.root) + 1
        written = {posixpath.join(at[start:], name) for at, _, names in os.walk(self.side.root) for name in names}
        return Includes(self.side.root, frozenset(written | self.others))

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """The files that each text includes; a link, what it points to."""
        if self.twin is not None and self._is_laid_out_as(self.twin):
            known, said = self.twin.below, self.twin.told
        else:
            known, said = dict[str, list[str]](), dict[str, Told]()
        found = {name: [*known[name]] if name in known and said[name] is told else
                 [each for include in told.includes for each in self.includes.meant(name, include)]
                 for name, told in self.told.items()}
        for name, below in found.items():
            real = self.side.name(self.side.path(name))
            below += [real] if real is not None and real != name else []
        return found

    @cached_property
    def above(self) -> dict[str, list[str]]:
        """The texts that include each file."""
        found: dict[str, list[str]] = {}
        for name, below in self.below.items():
            for each in below:
                found.setdefault(each, []).append(name)
        return found

    def _is_laid_out_as(self, other: Texts) -> bool:
        """Whether includes mean the same in both: the same files, and nothing else that builds them."""
        one, two = self.side.revision.entries, other.side.revision.entries
        return one.keys() == two.keys() and not any(
            entry.mode.startswith(LINK) or name.endswith(WORDS) or posixpath.basename(name) in (*MAKEFILES, DATABASE)
            for name, entry in one.items() if entry != two[name])

    def raw(self, name: str) -> str:
        """A text as it is; of one that is no text, nothing."""
        try:
            return read_raw(self.side.path(name)) if self.side.has(name) else ""
        except InputError:
            return ""

    def seeing(self, names: Iterable[str]) -> set[str]:
        """Texts, and those that include them, directly or through others."""
        return {name for name in _reached(names, self.above) if name in self.told}

    def seen_by(self, names: Iterable[str]) -> set[str]:
        """Texts, and those that they include, directly or through others."""
        return {name for name in _reached(names, self.below) if name in self.told}

    def has_kernels(self, name: str) -> bool:
        """Whether a text may define one; of CUDA and OpenCL also if it cannot be read, which has to be told."""
        raw = self.raw(name)
        return MARK.search(raw) is not None or (not raw and name.endswith(DEVICE) and self.side.has(name))


def _reached(names: Iterable[str], edges: Mapping[str, list[str]]) -> set[str]:
    found, todo = set(names), list(names := list(names))
    while todo:
        new = [each for each in edges.get(todo.pop(), ()) if each not in found]
        found.update(new)
        todo += new
    return found


def affected(texts: Texts, names: frozenset[str], others: Texts) -> set[str]:
    """The texts of a revision that a change of some files can matter to. `others`: those of the other revision."""
    found = texts.seeing(names)
    found |= {name for name in texts.names for each in names if _is_built_by(name, each)}
    found |= texts.seen_by(name for name in found if name.endswith((*UNITS, *KERNELS)))
    return found | texts.seeing(_launched(texts, found, others, others.seeing(names)))


def _is_built_by(name: str, build: str) -> bool:
    folder, last = os.path.split(build)
    if last == "compile_commands.json":
        return True
    return (last in MAKEFILES and is_under(name, folder)) or is_settings_for(name, build)


def _launched(texts: Texts, found: set[str], others: Texts, found_there: set[str]) -> set[str]:
    """The texts that define a kernel whose launch may have changed."""
    words: dict[str, set[str]] = {}
    for side, names in ((texts, found), (others, found_there)):
        for name in names:
            words.setdefault(name, set()).update(WORD.findall(COMMENT.sub(" ", side.raw(name))))
    kernels: dict[str, set[str]] = {}
    for side in (texts, others):
        for name, told in side.told.items():
            if told.launches and (name in found or name in found_there or _may_be_called(side, name, words)):
                for kernel in told.launches:
                    kernels.setdefault(kernel, set()).add(side.includes.top(os.path.dirname(name)))
    return {name for name, told in texts.told.items() if name not in found
            and any(is_under(name, top) for kernel in told.defines & kernels.keys() for top in kernels[kernel])}


def _may_be_called(texts: Texts, name: str, words: Mapping[str, set[str]]) -> bool:
    """Whether a changed text of the same tree names something that a text has at file level."""
    top = texts.includes.top(os.path.dirname(name))
    near = [said for other, said in words.items() if is_under(other, top)]
    own = file_level(texts.raw(name)) if near else set()
    return any(said & own for said in near)


def file_level(text: str) -> set[str]:
    """The functions and variables that a text names outside of bodies of functions, roughly; more is better than less."""
    text, depth, at, kept = COMMENT.sub(" ", text), 0, 0, list[str]()
    for brace in re.finditer(r"[{}]", text):
        if depth == 0:
            kept.append(text[at:brace.start()])
        if brace[0] == "{":
            before = text[max(0, brace.start() - 200):brace.start()].rstrip()
            depth += depth > 0 or re.search(r"\)\s*(?:const|noexcept|override|\w+)?$", before) is not None
        else:
            depth = max(0, depth - 1)
        at = brace.end()
    kept.append(text[at:])
    return set(NAMED.findall(";".join(kept))) - EVERYWHERE


def readable(texts: Texts, found: set[str]) -> list[str]:
    """Of affected texts those to read: units with kernels in what they see, then headers with kernels."""
    units = sorted(name for name in found if name.endswith((*UNITS, *KERNELS))
                   and any(texts.has_kernels(each) for each in texts.seen_by([name])))
    return units + sorted(name for name in found if name.endswith(HEADERS) and texts.has_kernels(name))
