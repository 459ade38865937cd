"""What is asked about a file, and how its program builds it: flags, headers, the texts of its host code.

In: a path and what the user says. Out: the same with what compile_commands.json, Makefiles, CMake files and the project's folders
add, and the host code that may launch a kernel, preprocessed as that build does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from automata.lang.clang.headers import stands_for
from automata.lang.clang.screen import absent
from automata.lang.cmake import flags_of_cmake
from automata.lang.compile_commands import Flags, built_as, flags_of
from automata.lang.enqueuers import enqueuers
from automata.lang.foreign import NOT_IN_C, NOT_IN_HOSTS, OTHER_PLATFORMS, is_known_header
from automata.lang.found_headers import NO_PLACES, ROUNDS, Places, nearest_of, place_of, template_of
from automata.lang.given import dispatching
from automata.lang.hints import without_hints
from automata.lang.makefiles import flags_of_make
from automata.lang.preprocess import Dialect, Language, Text, preprocess
from automata.lang.program_options import Passed, builds_of, options_of
from automata.lang.project import launchers, root_of
from automata.lang.reached import compiles_as_cuda
from automata.lang.setup_py import flags_of_setup
from automata.lang.source import is_inside, read_raw
from automata.lang.torch_load import flags_of_load

MOST_NAMED = 4
_OF_CUDA = re.compile(r"<<<|\b__(?:global|device)__\b")


@dataclass(frozen=True, slots=True)
class Given:
    """What is read and how. `within`: only kernels of this file, which `path` includes; `others`: more texts that include it;
    `built`: what was taken from the project's build; `supposed`: what was defined for the kernel to be there; `stated`: the same
    without the build; `passed`: options of an OpenCL program."""

    path: str
    kernel: str | None
    dialect: Dialect
    defines: dict[str, str]
    includes: tuple[str, ...]
    in_project: bool = False
    project: str | None = None
    within: str | None = None
    others: int = 0
    built: str = ""
    supposed: str = ""
    places: Places = NO_PLACES
    stated: Given | None = None
    passed: Passed | None = None

    def as_built(self) -> Given:
        """The same with what the project's build says of this text; what the user says comes first."""
        if not self.in_project:
            return self
        stated = self.stated or self
        root = root_of(self.path, self.project)
        passed = options_of(self.path, self.project) if self.dialect == "opencl" else None
        built = passed.flags if passed is not None else flags_of(self.path, root) or flags_of_make(self.path, root) or (
            flags_of_cmake(self.path, root) or flags_of_setup(self.path, root) or flags_of_load(self.path, root)
            if self.dialect == "cuda" else None)
        if built is None:
            return replace(self, stated=stated).with_headers()
        return replace(self, stated=stated, defines={**built.defines, **self.defines}, includes=(*self.includes, *built.includes),
                       built=built_as(built) if passed is None or built.defines else "", passed=passed).with_headers()

    def builds(self) -> Iterator[Given]:
        """The same in one build of several that the host makes of an OpenCL program, for each where that says more."""
        passed = self.passed
        for flags in builds_of(self.path, passed, lambda file: self.opencl_host(file).text) if passed is not None else ():
            defines = {**flags.defines, **self.defines}
            left = {name: line for name, line in passed.open.items() if name not in defines} if passed is not None else {}
            yield replace(self, defines=defines, passed=replace(passed, open=left) if passed is not None else None,
                          built=f"{built_as(flags)}; other builds may pass others")

    def opencl_host(self, path: str) -> Text:
        """The host code of an OpenCL program, as its Makefile says that it is compiled, with the project's headers."""
        path = as_typed(path, self.path)
        flags = flags_of_make(path, root_of(self.path, self.project)) or Flags()
        language: Literal["c", "c++"] = "c" if path.endswith(".c") else "c++"
        decided = NOT_IN_C if language == "c" else frozenset[str]()

        def read(includes: tuple[str, ...]) -> Text:
            nonlocal decided
            text = preprocess(path, language, defines=flags.defines, includes=includes, side="host", decided=decided)
            if (text.is_lost or text.doubts) and not decided >= OTHER_PLATFORMS:
                decided |= OTHER_PLATFORMS
                return read(includes)
            return text

        return self._with_found(path, read, tuple(flags.includes))

    def _with_found(self, path: str, read: Callable[[tuple[str, ...]], Text], includes: tuple[str, ...]) -> Text:
        """A host's text, read again with the folders of the project in which headers lie that it misses."""
        root = root_of(self.path, self.project)
        for _ in range(ROUNDS + 1):
            text = read(includes)
            missing = [name for name in text.missing if not is_known_header(name) and not stands_for(name)]
            places = {_above(name, path, root) or place_of(name, path, self.project)
                      or template_of(name, path, self.project) for name in missing}
            new = sorted(each for each in places if each is not None and each not in includes)
            if not new:
                break
            includes += tuple(new)
        return text

    def with_headers(self) -> Given:
        """The same with the folders of the project in which headers lie that are not found otherwise."""
        given = self
        for _ in range(ROUNDS if self.dialect == "cuda" else 0):
            before = given.places
            for name in sorted(absent(given.path, given.includes)):
                folder = None if stands_for(name) else place_of(name, given.path, given.project)
                if folder is not None and folder not in given.includes:
                    given = replace(given, places=given.places.with_header(folder, name), includes=(*given.includes, folder))
            if given.places == before and (given := given._with_nearest()).places == before:
                break
        return given

    def _with_nearest(self) -> Given:
        """The same with the folder of a header of which the project has copies elsewhere."""
        for name in sorted(absent(self.path, self.includes)):
            folder = None if stands_for(name) else nearest_of(name, self.path, self.project)
            if folder is not None and folder not in self.includes:
                places = replace(self.places, nearest=(*self.places.nearest, (folder, name)))
                return replace(self, places=places, includes=(*self.includes, folder))
        return self

    def host(self, path: str, decided: frozenset[str] = frozenset(), language: Language | None = None) -> Text:
        def read(includes: tuple[str, ...]) -> Text:
            library = dispatching() if self.dialect == "cuda" else None
            return preprocess(path, language or self.dialect, defines=self.defines, includes=includes, side="host",
                              library=library, decided=decided)

        return self._with_found(path, read, self.includes) if self.in_project else read(self.includes)

    def readings(self, path: str) -> Iterator[Text]:
        """The host code of a file; where conditions ask for the platform, as Linux compiles it besides."""
        text = self.host(path)
        yield text
        if text.is_lost or text.doubts:
            yield self.host(path, OTHER_PLATFORMS)

    def beside(self, path: str) -> Text:
        """The host code of another file of the project, with its own flags."""
        if self.dialect == "opencl":
            return self.opencl_host(path)
        other = replace(self.stated or self, path=as_typed(path, self.path)).as_built()
        plain = _plain_language(path)
        if plain is not None:
            is_told = compiles_as_cuda(root_of(self.path, self.project))
            decided = frozenset[str]() if is_told else NOT_IN_HOSTS | (NOT_IN_C if plain == "c" else frozenset())
            text = other.host(other.path, decided, plain)
            if not _OF_CUDA.search(text.text):
                return text
        return other.host(other.path)

    def hosts(self, kernel: str, kept: dict[str, tuple[Text, ...]]) -> Iterator[Text]:
        """The host code of the unit, then that of files which launch the kernel of this one. `kept`: what was read for others."""
        if self.dialect == "opencl":
            for path in enqueuers(self.path, kernel, self.project) if self.in_project else ():
                yield from self._kept(path, kept)
            return
        yield from self._kept(self.path, kept)
        if self.in_project:
            for path in launchers(self.within or self.path, kernel.partition("<")[0].rpartition("::")[2], self.project):
                yield from self._kept(as_typed(path, self.path), kept)

    def _kept(self, path: str, kept: dict[str, tuple[Text, ...]]) -> tuple[Text, ...]:
        if path not in kept:
            kept[path] = tuple(self.readings(path)) if self.dialect == "cuda" else (self.opencl_host(path),)
        return kept[path]

    def notes(self) -> tuple[str, ...]:
        """What was done with the text before it was read."""
        hints = without_hints(read_raw(self.within or self.path))[1]
        passed = sorted({f"{hint.name} (line {hint.line})" for hint in hints})
        more = f" and {len(passed) - MOST_NAMED} more" if len(passed) > MOST_NAMED else ""
        told = (f"hints of another tool are passed over: {', '.join(passed[:MOST_NAMED])}{more}",) if passed else ()
        return (*told, *self.read_through())

    def read_through(self) -> tuple[str, ...]:
        built = (*filter(None, (self.built, self.supposed)), *self.places.told())
        if self.within is None:
            return built
        more = f"; {self.others} more include it too" if self.others else ""
        return (f"read as {self.path} includes it{more}", *built)


def _above(name: str, path: str, root: str) -> str | None:
    """The folder above a text, in its project, from which it includes a header: `../main.h`."""
    found = os.path.realpath(os.path.join(os.path.dirname(path), name))
    is_there = ".." in name.split("/") and os.path.isfile(found) and is_inside(found, os.path.realpath(root))
    return os.path.dirname(found) if is_there else None


def as_typed(path: str, like: str) -> str:
    """A path from where the user stands, if the user's own is one."""
    return path if os.path.isabs(like) else os.path.relpath(path)


def _plain_language(path: str) -> Language | None:
    """The language in which a host's compiler reads a text of a name; None for one of CUDA, or a header."""
    return "c" if path.endswith(".c") else "c++" if path.endswith((".cpp", ".cc", ".cxx", ".C", ".c++", ".CPP", ".cp")) else None
