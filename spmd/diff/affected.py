"""Which texts a change can matter to: those that changed, those that see them, and those whose kernels they launch.

In: both revisions. Out: for each the texts whose kernels have to be read (`readable`). The rule errs on one side: a text is
read too often rather than not at all. A text is affected if

1. its blob changed, or one that it includes, directly or through others, changed, came or went;
2. a text that includes it is affected, for its macros and types may come from there;
3. a file changed that says how it is compiled or launched: the `compile_commands.json`, a Makefile or settings of a folder
   above it;
4. a text changed, or sees one that did, that launches a kernel of it which it does not define itself, or that comes to define
   one of that name, or ceases to: then nobody knows which is meant;
5. such a text names a function or a variable at file level of a text that launches a kernel of it, as both are spelled with
   their macros, or a function that leads there in a text that is compiled with it: launches hang on what callers pass. Names that
   stand in more texts than are read for one function tell nothing, before and after (`project.named_beside`); nor do those of
   methods and kernels, of which nobody knows who calls them;
6. it is OpenCL, and such a text passes macros or enqueues kernels, or one does of which 5. is true, and names it, or one of its
   kernels: the host's options decide what it says, its launches what is asked. So does another program with such a kernel.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from automata.lang.cmake import ENDING, LISTS, flags_of_cmake
from automata.lang.compile_commands import NAME as DATABASE
from automata.lang.makefiles import NAMES as MAKEFILES
from automata.lang.project import COMMENT, ENQUEUES, HEADERS, MOST_TEXTS, NOTHING, UNITS, Told, said
from automata.lang.source import read_raw
from automata.place import InputError
from spmd.diff.export import KERNELS, TEXTS, WORDS, Exported
from spmd.diff.includes import Includes, is_under
from spmd.diff.leading import Body, functions, leading
from spmd.diff.revision import LINK, SUBMODULE, Revision
from spmd.diff.settings import is_settings_for
from spmd.diff.spelled import Macro, Spelled, declared, macros, spelled

MARK = re.compile(r"\b(?:__global__|__kernel|kernel)\b")
GLOBAL = re.compile(r"\b__global__\b")
QUALIFIED = re.compile(r"\b__(?:global__|kernel)\b")
CLASS = re.compile(r"\b(?:class|struct|union)\b[^;{}()]*$")
LAUNCHING = re.compile(r"\b__global__\b|<<<|\b(?:hip|cuda|cu)Launch\w*")
NAMED = re.compile(r"(?:\b(\w+)\s*(?:<[^<>;{}]*>)?\s*::\s*~?\s*)?\b([A-Za-z_]\w*)\s*(?=[(\[;=])")
NAMESPACE = re.compile(r"\bnamespace\s+((?:\w+\s*::\s*)*\w+)")
MAIN = re.compile(r"\bmain\s*\(")
WORD = re.compile(r"[A-Za-z_]\w*")
DEVICE = (".cu", ".cuh", *KERNELS)
OPENCL = re.compile(r"\b(?:__kernel|kernel)\b[^;{(]*\bvoid\s+(?:__attribute__\s*\(\(.*?\)\)\s*)*(\w+)")
QUOTED = re.compile(r"\.(?:cl|opencl)\"")
EVERYWHERE = frozenset({
    "main", "if", "for", "while", "switch", "return", "sizeof", "defined", "__attribute__", "const", "override", "noexcept",
    "void", "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "delete", "default",
    "static_assert", "decltype", "alignas", "__launch_bounds__", "template", "operator"})
"""Words that say nothing of who calls whom."""


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

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {}

    def words(self, name: str) -> frozenset[str]:
        """The words of a text, those of comments and strings left out."""
        if name not in self._words:
            self._words[name] = frozenset(WORD.findall(COMMENT.sub(" ", self.raw(name))))
        return self._words[name]

    @cached_property
    def _own(self) -> dict[str, set[str]]:
        return {}

    def own(self, name: str) -> set[str]:
        """The functions and variables at file level of a text, kernels left out."""
        if name not in self._own:
            raw = self.raw(name)
            found = file_level(raw, self.namespaces(name))
            self._own[name] = (found | declared(raw, found, self.known(name))) - self.told[name].defines
        return self._own[name]

    @cached_property
    def _macros(self) -> dict[str, dict[str, list[Macro]]]:
        return {}

    def known(self, name: str) -> list[dict[str, list[Macro]]]:
        """The macros of a text and of what it sees."""
        for each in (near := self.seen_by([name]) | {name}):
            if each not in self._macros:
                self._macros[each] = macros(self.raw(each))
        return [self._macros[each] for each in near if self._macros[each]]

    def spelled(self, name: str) -> Spelled:
        """The words of a text, and those that its macros make."""
        return spelled(self.words(name), self.known(name))

    @cached_property
    def _bodies(self) -> dict[str, list[Body]]:
        return {}

    def bodies(self, name: str) -> list[Body]:
        """The functions that a text defines."""
        if name not in self._bodies:
            self._bodies[name] = functions(self.raw(name))
        return self._bodies[name]

    def leading(self, name: str) -> set[str]:
        """The functions that lead to a launch in a text, in the texts that it is compiled with, also those that a macro of the
        text defines."""
        units = self.seeing([name]) - {name}
        together = {each for unit in units for each in self.seen_by([unit])} - {name}
        found = leading(self.bodies(name), map(self.bodies, together)) if units else set()
        made = found & macros(self.raw(name)).keys()
        return found.union(*(declared(self.raw(each), made, self.known(each)) for each in together if made))

    def is_program(self, name: str) -> bool:
        """Whether a text may hold `main`."""
        return MAIN.search(self.raw(name)) is not None

    def texts_below(self, folder: str) -> list[str]:
        """The texts of C++ and CUDA in a folder, which a search for callers looks at."""
        return [name for name in self.names if name.endswith((*UNITS, *HEADERS)) and is_under(name, folder)]

    def namespaces(self, name: str) -> set[str]:
        """The namespaces that a text and what it sees name."""
        raw = (self.raw(each) for each in self.seen_by([name]) | {name})
        return {part.strip() for text in raw for whole in NAMESPACE.findall(text) for part in whole.split("::")}

    def has_kernels(self, name: str, mark: re.Pattern[str] = MARK) -> bool:
        """Whether a text may define one; of CUDA and OpenCL also if it cannot be read, which has to be told."""
        raw = self.raw(name)
        return mark.search(raw) is not None or (not raw and name.endswith(DEVICE) and self.side.has(name))

    def is_header_of_kernels(self, name: str) -> bool:
        """Whether a header may define some. `kernel` alone is a word of OpenCL."""
        is_opencl = self.has_kernels(name) and any(each.endswith(KERNELS) for each in self.seeing([name]))
        return is_opencl or self.has_kernels(name, QUALIFIED)

    def is_unit(self, name: str) -> bool:
        """Whether kernels are seen through a text. A text of C++ is compiled for a device only if it defines or launches one
        itself: what it sees besides stands in headers, which are read as they are and through other units."""
        if name.endswith(KERNELS):
            return any(map(self.has_kernels, self.seen_by([name])))
        if not name.endswith(".cu") and not LAUNCHING.search(self.raw(name)):
            return False
        return any(self.has_kernels(each, GLOBAL) for each in self.seen_by([name]))


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
    if any(name.endswith((LISTS, ENDING)) for name in names):
        found |= {name for name in texts.names if name.endswith(UNITS) and _macros(texts, name) != _macros(others, name)}
    found |= texts.seen_by(name for name in found if name.endswith((*UNITS, *KERNELS)))
    there = others.seeing(names)
    sides = Sides(texts, others, frozenset(found), frozenset(there), names)
    return found | texts.seeing(_launched(sides)) | texts.seeing(_with_options(sides))


def _is_built_by(name: str, build: str) -> bool:
    folder, last = os.path.split(build)
    if last == "compile_commands.json":
        return True
    return (last in MAKEFILES and is_under(name, folder)) or is_settings_for(name, build)


def _macros(texts: Texts, name: str) -> dict[str, str]:
    """The macros that a revision's CMake files give to a text."""
    flags = flags_of_cmake(texts.side.path(name), texts.side.root) if texts.side.has(name) else None
    return flags.defines if flags is not None else {}


@dataclass(frozen=True)
class Sides:
    """Both revisions, this one first. `found`, `there`: the texts in each that the change can matter to because of what they
    see; `names`: the files that changed."""

    texts: Texts
    others: Texts
    found: frozenset[str]
    there: frozenset[str]
    names: frozenset[str]

    @cached_property
    def both(self) -> tuple[tuple[Texts, frozenset[str]], ...]:
        return (self.texts, self.found), (self.others, self.there)

    @cached_property
    def said(self) -> dict[str, list[Spelled]]:
        """The words of the texts that the change can matter to, as both revisions have them."""
        words: dict[str, list[Spelled]] = {}
        for side, names in self.both:
            for name in names:
                words.setdefault(name, []).append(side.spelled(name))
        return words

    def tell(self, side: Texts, name: str, words: Iterable[str]) -> bool:
        """Whether who names one of some functions and variables of a text may tell of its launches."""
        own = side.seen_by([name])
        near = [each for each in side.texts_below(side.includes.top(os.path.dirname(name))) if each not in own]
        return any(self._tells(near, word) for word in words)

    def _tells(self, near: list[str], word: str) -> bool:
        """Not where too many texts near have a name, before and after, and the same of those that changed."""
        if any(sum(word in one.words(each) for each in near) <= MOST_TEXTS for one, _ in self.both):
            return True
        return any((word in self.texts.words(each), self.texts.is_program(each)) !=
                   (word in self.others.words(each), self.others.is_program(each)) for each in self.names)


def _launched(sides: Sides) -> set[str]:
    """The texts that define a kernel whose launch may have changed."""
    kernels: dict[str, set[str]] = {}
    called: set[str] = set()
    for side, changed_there in sides.both:
        for name, told in side.told.items():
            if told.launches and (name in changed_there or _may_be_called(sides, side, name)):
                called.add(name)
                for kernel in told.launches - told.defines:
                    kernels.setdefault(kernel, set()).add(side.includes.top(os.path.dirname(name)))
    for name in sides.names:
        one, two = (side.told.get(name, NOTHING).defines for side in (sides.texts, sides.others))
        for kernel in one ^ two:
            kernels.setdefault(kernel, set()).add(sides.texts.includes.top(os.path.dirname(name)))
    return {name for name, told in sides.texts.told.items() if name not in sides.found and (
        (name in called and told.launches & told.defines)
        or any(is_under(name, top) for kernel in told.defines & kernels.keys() for top in kernels[kernel]))}


def _may_be_called(sides: Sides, texts: Texts, name: str) -> bool:
    """Whether a changed text of the same tree names something that a text has at file level."""
    top = texts.includes.top(os.path.dirname(name))
    near = [each for other, said in sides.said.items() if is_under(other, top) for each in said]
    own = texts.own(name) | texts.leading(name) if near else set()
    words = {word for each in near for word in each.among(own)}
    return bool(words) and sides.tell(texts, name, words)


def _with_options(sides: Sides) -> set[str]:
    """The OpenCL texts whose macros a changed text may pass, or whose kernels one may launch."""
    programs = [name for name in sides.texts.names if name.endswith(KERNELS) and name not in sides.found]
    if not programs:
        return set()
    hosts = [raw for side, names in sides.both for name in side.told if (raw := side.raw(name)) and (
        ((name in names or name in sides.names) and ("-D" in raw or ENQUEUES in raw or OPENCL.search(raw) or QUOTED.search(raw)))
        or (ENQUEUES in raw and _may_be_called(sides, side, name)))]
    return {name for name in programs if any(
        wanted in raw for wanted in (posixpath.basename(name), *_kernels(sides.texts.raw(name))) for raw in hosts)}


def _kernels(raw: str) -> list[str]:
    return OPENCL.findall(COMMENT.sub(" ", raw))


def file_level(text: str, namespaces: Container[str] | None = None) -> set[str]:
    """The functions and variables that a text names outside of bodies of functions, roughly; more is better than less.
    `namespaces`: names behind anything else than one of those are members of classes, and left out, as are those in bodies of
    classes; None: all are kept."""
    text, depth, at, kept = COMMENT.sub(" ", text), 0, 0, list[str]()
    for brace in re.finditer(r"[{}]", text):
        piece = text[at:brace.start()]
        before = piece[-200:].rstrip()
        is_class = brace[0] == "{" and namespaces is not None and CLASS.search(before) is not None
        if depth == 0:
            kept.append(CLASS.sub("", piece) if is_class else piece)
        if brace[0] == "{":
            depth += depth > 0 or is_class or re.search(r"\)\s*(?:const|noexcept|override|\w+)?$", before) is not None
        else:
            depth = max(0, depth - 1)
        at = brace.end()
    kept.append(text[at:])
    return {name for whose, name in NAMED.findall(";".join(kept))
            if not whose or namespaces is None or whose in namespaces} - EVERYWHERE


def readable(texts: Texts, found: set[str]) -> list[str]:
    """Of affected texts those to read: units with kernels in what they see, then headers with kernels."""
    units = sorted(name for name in found if name.endswith((*UNITS, *KERNELS)) and texts.is_unit(name))
    return units + sorted(name for name in found if name.endswith(HEADERS) and texts.is_header_of_kernels(name))
