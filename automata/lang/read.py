"""Text to Core: which front end reads a file, and the kernels it finds there.

`c` (pycparser) reads OpenCL C and CUDA written in C; `clang` (libclang) reads CUDA C++. `auto` takes `c` for
OpenCL and `clang` for CUDA. Both give the same Core for a kernel that both read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Literal

from automata.lang.arch import DEFAULT, MACRO, arch_macros, compiled_for
from automata.lang.clang.headers import stands_for
from automata.lang.clang.screen import absent
from automata.lang.cmake import flags_of_cmake
from automata.lang.compile_commands import Flags, built_as, flags_of
from automata.lang.core import Kernel
from automata.lang.elaborate.kernel import elaborate
from automata.lang.excluded import excluded
from automata.lang.foreign import NOT_IN_C, OTHER_PLATFORMS, is_known_header
from automata.lang.found_headers import NO_PLACES, ROUNDS, Places, place_of
from automata.lang.given import CONDITION, as_answered, dispatching, macros_of
from automata.lang.hints import without_hints
from automata.lang.instance_names import FOR
from automata.lang.makefiles import flags_of_make
from automata.lang.preprocess import Dialect, Text, preprocess
from automata.lang.program_options import Passed, any_number, builds_of, is_any_number, missed, options_of
from automata.lang.project import enqueuers, forget, launchers, root_of, search_folders, units_of
from automata.lang.slices import Part, Piece, kernel_name, pieces
from automata.lang.source import is_inside, read_raw, read_source
from automata.lang.tree import Program
from automata.passes import passing
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import Scalar

Frontend = Literal["auto", "clang", "c"]
DEVICE = re.compile(MACRO)
AXIOM = re.compile(r"^[ \t]*__axiom\s*\(", re.M)
MOST_UNITS = 3
MOST_NAMED = 4
MOST_NUMBERS = 8
MOST_LOST = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A kernel of a file, not yet read. `path`: the file it stands in, `original` what that holds; `hosts`: the host code that
    may launch it, preprocessed, the likeliest first; `asked`: what a verdict rests on where the file asks for the device or
    about macros; `beside`: the host code of another file, as its project builds it; `spelled`: other names of an instance."""

    name: str
    place: Place
    path: str
    dialect: Dialect
    original: str = field(repr=False)
    program: Callable[[], Program] = field(repr=False)
    hosts: Callable[[], Iterator[Text]] = field(repr=False)
    asked: Callable[[], tuple[str, ...]] = field(repr=False)
    beside: Callable[[str], Text] | None = field(repr=False, default=None)
    spelled: tuple[str, ...] = ()

    def read(self, cells: Mapping[str, Scalar] | None = None) -> Kernel:
        """The kernel as Core. `cells`: what arrays shall be made of, as `elaborate` takes it."""
        try:
            program = self.program()
            kernel = elaborate(program, cells)
            return replace(kernel, name=self.name, assumptions=(*kernel.assumptions, *program.assumptions, *self.asked()))
        except RecursionError as error:
            raise UnsupportedError("expressions nested too deeply", self.place) from error


@passing("find", lambda found: f"{len(found)} kernels" if len(found) != 1 else found[0].name)
def find_kernels(path: str, kernel: str | None = None, dialect: Dialect | None = None, defines: dict[str, str] | None = None,
                 includes: tuple[str, ...] = (), frontend: Frontend = "auto", arch: str | None = None, *,
                 project: str | None = None, in_project: bool = False) -> list[Found]:
    """The kernels of a file, or the one that was named. InputError when there is none. `in_project`: headers, the text that
    includes the file and those that launch its kernels are looked for in its project, or in the folder that is stated for it.

    A template kernel is as many kernels as there are instantiations of it; `kernel` may be `reduce<float, 256>`. `arch`: the
    device that CUDA text is compiled for, as `sm_80`.
    """
    dialect = dialect or ("opencl" if path.endswith((".cl", ".opencl")) else "cuda")
    if arch is not None:
        device = arch_macros(arch)
        defines = {**(device if dialect == "cuda" else {}), **(defines or {})}
    with_clang = frontend == "clang" or (frontend == "auto" and dialect == "cuda")
    if in_project:
        forget()
        includes = (*includes, *search_folders(path, project))
    given = _Given(path, kernel, dialect, defines or {}, includes, in_project, project)
    found = (_through_its_unit(given) or _with_clang(given.as_built())) if with_clang else _with_c(given.as_built())
    if not found:
        word = "__kernel" if dialect == "opencl" else "__global__"
        raise InputError(f"no kernel here: nothing is marked {word}{excluded(read_raw(path), kernel)}", Place(path, 0, 0))
    if kernel is None:
        return found
    chosen = [item for item in found if _is_called(item.name, kernel)]
    if not chosen:
        names = ", ".join(item.name for item in found)
        raise InputError(f"no kernel '{kernel}' here; there is: {names}{excluded(read_raw(path), kernel)}", Place(path, 0, 0))
    return chosen


def _is_called(name: str, asked: str) -> bool:
    """Whether a kernel is the one asked for; a template's name alone stands for all its instantiations, and a name without its
    namespaces or parameters for all that have it."""
    def plain(text: str) -> str:
        return text.replace(" ", "")

    stem = re.split(r"[<(]", name, maxsplit=1)[0]
    is_stem = not {"<", "("} & set(asked) and f"::{stem}".endswith(f"::{asked.strip()}")
    return plain(name) == plain(asked) or is_stem


def _rests_on(text: Text) -> tuple[str, ...]:
    """What a verdict rests on for the questions that a text asks about its device and its macros."""
    device = (compiled_for(text.arch),) if text.arch else ()
    return (*device, as_answered(text.asked)) if text.asked else device


@dataclass(frozen=True, slots=True)
class _Given:
    """What is read and how. `within`: only kernels of this file, which `path` includes; `others`: more texts that include it;
    `built`: what was taken from the project's build; `stated`: the same without that; `passed`: options of an OpenCL program."""

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
    places: Places = NO_PLACES
    stated: _Given | None = None
    passed: Passed | None = None

    def as_built(self) -> _Given:
        """The same with what the project's build says of this text; what the user says comes first."""
        if not self.in_project:
            return self
        stated = self.stated or self
        root = root_of(self.path, self.project)
        passed = options_of(self.path, self.project) if self.dialect == "opencl" else None
        built = passed.flags if passed is not None else flags_of(self.path, root) or flags_of_make(self.path, root) or (
            flags_of_cmake(self.path, root) if self.dialect == "cuda" else None)
        if built is None:
            return replace(self, stated=stated).with_headers()
        return replace(self, stated=stated, defines={**built.defines, **self.defines}, includes=(*self.includes, *built.includes),
                       built=built_as(built) if passed is None or built.defines else "", passed=passed).with_headers()

    def builds(self) -> Iterator[_Given]:
        """The same in one build of several that the host makes of an OpenCL program, for each where that says more."""
        passed = self.passed
        for flags in builds_of(self.path, passed, lambda file: self.opencl_host(file).text) if passed is not None else ():
            defines = {**flags.defines, **self.defines}
            left = {name: line for name, line in passed.open.items() if name not in defines} if passed is not None else {}
            yield replace(self, defines=defines, passed=replace(passed, open=left) if passed is not None else None,
                          built=f"{built_as(flags)}; other builds may pass others")

    def opencl_host(self, path: str) -> Text:
        """The host code of an OpenCL program, as its Makefile says that it is compiled, with the project's headers."""
        path = _as_typed(path, self.path)
        root = root_of(self.path, self.project)
        flags = flags_of_make(path, root) or Flags()
        language: Literal["c", "c++"] = "c" if path.endswith(".c") else "c++"
        includes, decided = list(flags.includes), NOT_IN_C if language == "c" else frozenset[str]()
        for _ in range(ROUNDS + 1):
            text = preprocess(path, language, defines=flags.defines, includes=tuple(includes), side="host", decided=decided)
            if (text.is_lost or text.doubts) and not decided >= OTHER_PLATFORMS:
                decided |= OTHER_PLATFORMS
                continue
            missing = [name for name in text.missing if not is_known_header(name)]
            places = {_above(name, path, root) or place_of(name, path, self.project) for name in missing}
            new = sorted(each for each in places if each is not None and each not in includes)
            if not new:
                break
            includes += new
        return text

    def with_headers(self) -> _Given:
        """The same with the folders of the project in which headers lie that are not found otherwise."""
        given = self
        for _ in range(ROUNDS if self.dialect == "cuda" else 0):
            before = given.places
            for name in sorted(absent(given.path, given.includes)):
                folder = None if stands_for(name) else place_of(name, given.path, given.project)
                if folder is not None and folder not in given.includes:
                    given = replace(given, places=given.places.with_header(folder, name), includes=(*given.includes, folder))
            if given.places == before:
                break
        return given

    def host(self, path: str, decided: frozenset[str] = frozenset()) -> Text:
        return preprocess(path, self.dialect, defines=self.defines, includes=self.includes, side="host", decided=decided,
                          library=dispatching() if self.dialect == "cuda" else None)

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
        other = replace(self.stated or self, path=_as_typed(path, self.path)).as_built()
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
                yield from self._kept(_as_typed(path, self.path), kept)

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
        built = ((self.built,) if self.built else ()) + self.places.told()
        if self.within is None:
            return built
        more = f"; {self.others} more include it too" if self.others else ""
        return (f"read as {self.path} includes it{more}", *built)


def _above(name: str, path: str, root: str) -> str | None:
    """The folder above a text, in its project, from which it includes a header: `../main.h`."""
    found = os.path.realpath(os.path.join(os.path.dirname(path), name))
    is_there = ".." in name.split("/") and os.path.isfile(found) and is_inside(found, os.path.realpath(root))
    return os.path.dirname(found) if is_there else None


def _as_typed(path: str, like: str) -> str:
    """A path from where the user stands, if the user's own is one."""
    return path if os.path.isabs(like) else os.path.relpath(path)


def _through_its_unit(given: _Given) -> list[Found]:
    """The kernels of a file as the text sees them that includes it; none if no text of the project does, or not these
    kernels."""
    units = units_of(given.path, given.project) if given.in_project and given.dialect == "cuda" else ()
    for unit in units[:MOST_UNITS]:
        through = replace(given, path=_as_typed(unit, given.path), within=given.path, others=len(units) - 1)
        try:
            found = _with_clang(through.as_built())
        except InputError:
            continue
        if found:
            return found
    return []


def _with_clang(given: _Given) -> list[Found]:
    from automata.lang.clang.program import parse

    path, kernel, dialect, defines, includes = given.path, given.kernel, given.dialect, given.defines, given.includes
    own = given.within or path
    original = read_source(own)
    if assumed := AXIOM.search(original):
        raise UnsupportedError("the annotation '__axiom'", Place(own, original.count("\n", 0, assumed.start()) + 1, 1))
    probes = (kernel,) if kernel is not None and "<" in kernel and FOR not in kernel else ()
    unit = parse(path, None, dialect=dialect, defines=defines, includes=includes, probes=probes)

    @cache
    def asked() -> tuple[str, ...]:
        if not unit.matches(CONDITION) and not unit.matches(DEVICE):
            return given.notes()
        try:
            text = preprocess(path, dialect, defines=defines, includes=includes, library=macros_of(unit.stub))
            return (*given.notes(), *_rests_on(text))
        except InputError:
            device = (compiled_for(defines.get(MACRO, DEFAULT)),) if dialect == "cuda" and unit.matches(DEVICE) else ()
            return (*given.notes(), *device)

    kept: dict[str, tuple[Text, ...]] = {}
    found = []
    lost = [item.name for item in unit.kernels if item.is_template and not item.instances and (
        kernel is None or _is_called(item.name, kernel))] if given.in_project else []
    if more := [probe for name in lost[:MOST_LOST] for probe in _launched_abroad(given, name, kept)]:
        unit = parse(path, None, dialect=dialect, defines=defines, includes=includes, probes=tuple(more))
    for item in unit.kernels:
        if given.within is not None and os.path.realpath(item.place.file) != os.path.realpath(own):
            continue
        names = [f"{item.name}<{arguments}>" for arguments in item.instances] if item.is_template else [item.name]
        if probes and item.name == kernel.partition("<")[0].strip() if kernel else False:
            names = list(probes)
        home = own if os.path.realpath(item.place.file) == os.path.realpath(own) else item.place.file
        text = original if home is own else read_source(home)
        for name in names or [item.name]:
            spelled = tuple(f"{item.name}<{other}>" for arguments, others in item.instances.items() for other in others
                            if f"{item.name}<{arguments}>" == name)
            found.append(Found(name, item.place, home, dialect, text, partial(unit.read, name), partial(given.hosts, name, kept),
                               asked, given.beside, spelled))
    return found


def _launched_abroad(given: _Given, name: str, kept: dict[str, tuple[Text, ...]]) -> list[str]:
    """The instances of a kernel template that host code asks for which clang did not understand."""
    from automata.lang.clang.program import parse
    from automata.lang.launched_instances import launched_instances

    def is_made(probe: str) -> bool:
        try:
            parse(given.path, None, dialect=given.dialect, defines=given.defines, includes=given.includes, probes=(probe,))
        except InputError:
            return False
        return True

    return launched_instances(name, given.hosts(name, kept), given.project, given.beside, is_made)


def _with_c(given: _Given) -> list[Found]:
    """The kernels of a text of C; of an OpenCL program that cannot be read as every build of it, as one of them."""
    try:
        found = _as_c(given)
    except InputError:
        built = next(filter(None, map(_read_whole, given.builds())), None)
        if built is None:
            raise
        return built
    if given.passed is None or all(map(_is_read, found)):
        return found
    return next(filter(None, map(_read_whole, given.builds())), found)


def _read_whole(given: _Given) -> list[Found]:
    """The kernels of a text if all can be read; else none."""
    try:
        found = _as_c(given)
    except InputError:
        return []
    return found if all(map(_is_read, found)) else []


def _is_read(item: Found) -> bool:
    """Whether a kernel can be read with no numbers of its host."""
    try:
        return not any(is_any_number(each) for each in item.program().assumptions)
    except InputError:
        return False


def _as_c(given: _Given) -> list[Found]:
    path, dialect = given.path, given.dialect
    try:
        text = preprocess(path, dialect, defines=given.defines, includes=given.includes)
    except InputError as error:
        more = next(filter(None, (missed(given.passed, name) for name in re.findall(r"\w+", error.message))), "")
        if not more:
            raise
        raise InputError(error.message + more, error.place) from error
    asked = cache(lambda: (*given.notes(), *_rests_on(text)))
    parts = pieces(text)
    found = []
    kept: dict[str, tuple[Text, ...]] = {}
    for piece in parts:
        if piece.part is not Part.KERNEL or piece.words[-1].text != "}":
            continue
        others = [other for other in parts if other is not piece]
        found.append(Found(kernel_name(piece), text.place(piece.start), path, dialect, text.original,
                           partial(_kernel_of, given, text, piece, others), partial(given.hosts, kernel_name(piece), kept),
                           asked, given.beside))
    return found


def _kernel_of(given: _Given, text: Text, piece: Piece, others: list[Piece]) -> Program:
    """A kernel of C. Macros that its host writes as integers, whose values nobody knows here, are parameters, if it can be read
    so."""
    from automata.lang.c import read_kernel

    numbers: tuple[str, ...] = ()
    first: InputError | None = None
    while True:
        try:
            program = read_kernel(text, piece, others, given.dialect, numbers)
            return replace(program, assumptions=(*program.assumptions, *(any_number(given.passed, name) for name in numbers)))
        except InputError as error:
            name = re.match(r"'(\w+)' is not declared", error.message)
            more = missed(given.passed, name[1]) if name else ""
            first = first or (InputError(error.message + more, error.place) if more else None)
            if not more or name is None or len(numbers) == MOST_NUMBERS or not _may_be_any(given.passed, name[1], text.original):
                raise (first or error) from None
            numbers += (name[1],)


def _may_be_any(passed: Passed | None, name: str, text: str) -> bool:
    """Whether a macro is an integer, and no condition of the text asks which."""
    asks = re.search(rf"^[ \t]*#[ \t]*(?:if|elif)\w*\b[^\n]*\b{name}\b", text, re.M)
    return passed is not None and name in passed.numbers and asks is None
