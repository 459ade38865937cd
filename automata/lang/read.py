"""Text to Core: which front end reads a file, and the kernels it finds there.

`c` (pycparser) reads OpenCL C and CUDA written in C; `clang` (libclang) reads CUDA C++. `auto` takes `c` for
OpenCL and `clang` for CUDA. Both give the same Core for a kernel that both read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Literal

from automata.lang.arch import DEFAULT, MACRO, NEWER, arch_macros, compiled_for
from automata.lang.asked_file import Given, as_typed
from automata.lang.core import Kernel
from automata.lang.effects import does_something
from automata.lang.elaborate.kernel import elaborate
from automata.lang.excluded import excluded, needed, supposed
from automata.lang.foreign import not_found
from automata.lang.given import CONDITION, as_answered, macros_of
from automata.lang.instance_names import FOR, stood_in
from automata.lang.naming import uncommented
from automata.lang.preprocess import Dialect, Text, preprocess
from automata.lang.program_options import Passed, any_number, compiled_without, is_any_number, missed
from automata.lang.project import forget, search_folders, units_of
from automata.lang.slices import Part, Piece, kernel_name, pieces
from automata.lang.source import read_raw, read_source
from automata.lang.tree import Program
from automata.passes import passing
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import Scalar

if TYPE_CHECKING:
    from automata.lang.clang.program import Kernel as Declared
    from automata.lang.clang.program import Unit

Frontend = Literal["auto", "clang", "c"]
DEVICE = re.compile(MACRO)
CUDA_KERNEL = re.compile(r"\b__global__\b")
OPENCL_KERNEL = re.compile(r"\b__kernel\b|\bkernel\s+void\b")
AXIOM = re.compile(r"^[ \t]*__axiom\s*\(", re.M)
MOST_UNITS = 3
MOST_NUMBERS = 8
OTHER = "_of_the_host"
WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|\w+')
MOST_LOST = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A kernel of a file, not yet read. `path`: the file it stands in, `original` what that holds; `hosts`: the host code that
    may launch it, preprocessed, the likeliest first; `asked`: what a verdict rests on where the file asks for the device or
    about macros; `beside`: the host code of another file, as its project builds it; `spelled`: other names of an instance;
    `newer`: the same as newer devices compile it, where nobody says the device and the text asks for it; `within`: its names with
    namespaces around; `needing`: the same with a function that an error says is not declared."""

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
    newer: Callable[[], Iterable[Found]] = field(repr=False, default=tuple)
    within: tuple[str, ...] = ()
    needing: Callable[[str], Iterable[Found]] = field(repr=False, default=lambda _: ())

    def read(self, cells: Mapping[str, Scalar] | None = None) -> Kernel:
        """The kernel as Core. `cells`: what arrays shall be made of, as `elaborate` takes it. One that cannot be read, or does
        nothing, as the device compiles it that is taken: as the first newer one does for which that is not so. One that calls
        what the text leaves out is read with the macros defined that take it in."""
        try:
            kernel = self.read_as_it_is(cells)
        except InputError as error:
            for other in self.needing(error.message):
                return other.read(cells)
            for other in self.newer():
                with suppress(InputError):
                    return other.read_as_it_is(cells)
            raise
        for other in self.newer() if not does_something(kernel.body) else ():
            with suppress(InputError):
                if does_something((made := other.read_as_it_is(cells)).body):
                    return made
        return kernel

    def read_as_it_is(self, cells: Mapping[str, Scalar] | None) -> Kernel:
        try:
            kernel = elaborate(program := self.program(), cells)
            return replace(kernel, name=self.name, assumptions=(*kernel.assumptions, *program.assumptions, *self.asked(),
                                                                *stood_in(self.name)))
        except RecursionError as error:
            raise UnsupportedError("expressions nested too deeply", self.place) from error
        except InputError as error:
            if told := _other_language(self.path, self.dialect):
                raise InputError(told, error.place) from error
            raise


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
    given = Given(path, kernel, dialect, defines or {}, includes, in_project, project)
    found = _kernels(given, with_clang)
    chosen = _chosen(found, kernel)
    if not chosen and (supposing := _supposing(given)) is not None:
        with suppress(InputError):
            chosen = _chosen(_kernels(supposing, with_clang), kernel)
    if not found and not chosen:
        word = "__kernel" if dialect == "opencl" else "__global__"
        told = _other_language(path, dialect) or f"nothing is marked {word}{excluded(read_raw(path), kernel)}"
        raise InputError(f"no kernel here: {told}", Place(path, 0, 0))
    if not chosen:
        names = ", ".join(item.name for item in found)
        raise InputError(f"no kernel '{kernel}' here; there is: {names}{excluded(read_raw(path), kernel)}", Place(path, 0, 0))
    return chosen


def _kernels(given: Given, with_clang: bool) -> list[Found]:
    return (_through_its_unit(given) or _with_clang(given.as_built())) if with_clang else _with_c(given.as_built())


def _chosen(found: list[Found], kernel: str | None) -> list[Found]:
    """The kernels that are asked for, of those of a file."""
    return found if kernel is None else [item for item in found if _is_called(item.name, kernel)] or [
        item for item in found if any(_is_called(name, kernel) for name in item.within)]


def _supposing(given: Given) -> Given | None:
    """The same with the macros defined under which the kernel that is asked for is there; None where nothing more is to be."""
    defines, told = supposed(read_raw(given.path), given.kernel)
    more = {name: value for name, value in defines.items() if name not in given.defines}
    return replace(given, defines={**given.defines, **more}, supposed=told) if more else None


def _other_language(path: str, dialect: Dialect) -> str | None:
    """What to tell of a text whose kernels have the other language's mark alone; None of others, and of what is no text."""
    with suppress(InputError):
        text = uncommented(read_raw(path))
        is_cuda, is_opencl = bool(CUDA_KERNEL.search(text)), bool(OPENCL_KERNEL.search(text))
        if is_cuda and not is_opencl and dialect == "opencl":
            return "kernels are marked __global__, as in CUDA, but the file is read as OpenCL: give it a name that ends in .cu"
        if is_opencl and not is_cuda and dialect == "cuda":
            return "kernels are marked __kernel, as in OpenCL, but the file is read as CUDA: give it a name that ends in .cl"
    return None


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


def _through_its_unit(given: Given) -> list[Found]:
    """The kernels of a file as the text sees them that includes it; none if no text of the project does, or not these
    kernels."""
    units = units_of(given.path, given.project) if given.in_project and given.dialect == "cuda" else ()
    for unit in units[:MOST_UNITS]:
        through = replace(given, path=as_typed(unit, given.path), within=given.path, others=len(units) - 1)
        try:
            found = _with_clang(through.as_built())
        except InputError:
            continue
        if found:
            return found
    return []


def _with_clang(given: Given) -> list[Found]:
    from automata.lang.clang.program import parse

    path, kernel, dialect, defines, includes = given.path, given.kernel, given.dialect, given.defines, given.includes
    own = given.within or path
    original = read_source(own)
    if assumed := AXIOM.search(original):
        raise UnsupportedError("the annotation '__axiom'", Place(own, original.count("\n", 0, assumed.start()) + 1, 1))
    unit, probes = _parsed(given)
    kept: dict[str, tuple[Text, ...]] = {}
    devices: dict[str, list[Found]] = {}
    switched: dict[str, list[Found]] = {}
    asks = dialect == "cuda" and MACRO not in defines and unit.matches(DEVICE)
    found = []
    lost = [item.name for item in unit.kernels if item.is_template and not item.instances and (
        kernel is None or _is_called(item.name, kernel))] if given.in_project else []
    if more := [probe for name in lost[:MOST_LOST] for probe in _launched_abroad(given, name, kept)]:
        unit = parse(path, None, dialect=dialect, defines=defines, includes=includes, probes=tuple(more))
    asked = cache(partial(_asked, given, unit))
    for item in unit.kernels:
        is_own = os.path.realpath(item.place.file) == os.path.realpath(own)
        if given.within is not None and not is_own:
            continue
        home, text = (own, original) if is_own else (item.place.file, read_source(item.place.file))
        for name in _names_of(item, kernel, probes):
            within = tuple("::".join((*item.spaces[at:], name)) for at in range(len(item.spaces)))
            spelled = tuple(f"{item.name}<{other}>" for arguments, others in item.instances.items()
                            for other in (arguments, *others) if arguments == unit.own_arguments(name))
            found.append(Found(name, item.place, home, dialect, text, partial(unit.read, name), partial(given.hosts, name, kept),
                               asked, given.beside, spelled, partial(_newer, given, name, devices) if asks else tuple, within,
                               partial(_needing, given, name, switched)))
    return found


def _needing(given: Given, name: str, switched: dict[str, list[Found]], message: str) -> Iterator[Found]:
    """A kernel for which a name is not declared, with the macros defined under which the text defines it. `switched`: what was
    found with each."""
    more, told = needed(read_raw(given.path), message)
    if told not in switched and not more.keys() <= given.defines.keys():
        with suppress(InputError):
            supposed_too = "; ".join(filter(None, (given.supposed, told)))
            switched[told] = _with_clang(replace(given, defines={**more, **given.defines}, supposed=supposed_too))
    yield from (item for item in switched.get(told, ()) if item.name == name)


def _asked(given: Given, unit: Unit) -> tuple[str, ...]:
    """What verdicts on a text rest on, where it asks for the device or about macros."""
    notes = (*given.notes(), *not_found(unit.missing))
    if not unit.matches(CONDITION) and not unit.matches(DEVICE):
        return notes
    try:
        text = preprocess(given.path, given.dialect, defines=given.defines, includes=given.includes, library=macros_of(unit.stub))
        return (*notes, *_rests_on(text), *_left_out(given, text, ()))
    except InputError:
        is_for_one = given.dialect == "cuda" and unit.matches(DEVICE)
        return (*notes, *((compiled_for(given.defines.get(MACRO, DEFAULT)),) if is_for_one else ()))


def _names_of(item: Declared, kernel: str | None, probes: tuple[str, ...]) -> list[str]:
    """What the instances of a kernel are called: those that were asked for, if any were."""
    if kernel and probes and item.name == kernel.partition("<")[0].strip():
        return list(probes)
    names = [f"{item.name}<{arguments}>" for arguments in item.instances] if item.is_template else []
    return names or [item.name]


def _parsed(given: Given) -> tuple[Unit, tuple[str, ...]]:
    """A text, and the instances that it was asked for besides those it shows: one that it shows may be of a class whose name
    cannot be written outside of it."""
    from automata.lang.clang.program import parse

    asked, probing = given.kernel or "", partial(parse, given.path, None, dialect=given.dialect, defines=given.defines,
                                                 includes=given.includes)
    unit = probing()
    is_shown = any(_is_called(f"{item.name}<{arguments}>", asked) for item in unit.kernels for arguments in item.instances)
    if "<" not in asked or FOR in asked or is_shown:
        return unit, ()
    return probing(probes=(asked,)), (asked,)


def _newer(given: Given, name: str, devices: dict[str, list[Found]]) -> Iterator[Found]:
    """A kernel as newer devices compile it; `devices`: what was found for each."""
    for device in NEWER:
        if device not in devices:
            with suppress(InputError):
                devices[device] = _with_clang(replace(given, defines={**given.defines, MACRO: device}))
        yield from (item for item in devices.setdefault(device, []) if item.name == name)


def _launched_abroad(given: Given, name: str, kept: dict[str, tuple[Text, ...]]) -> list[str]:
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


def _with_c(given: Given) -> list[Found]:
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


def _read_whole(given: Given) -> list[Found]:
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


def _as_c(given: Given) -> list[Found]:
    path, dialect = given.path, given.dialect
    try:
        text, numbers = _with_options(given)
    except InputError as error:
        more = next(filter(None, (missed(given.passed, name) for name in re.findall(r"\w+", error.message))), "")
        if not more:
            raise
        raise InputError(error.message + more, error.place) from error
    asked = cache(lambda: (*given.notes(), *_rests_on(text), *_left_out(given, text, numbers)))
    parts = pieces(text)
    found = []
    kept: dict[str, tuple[Text, ...]] = {}
    for piece in parts:
        if piece.part is not Part.KERNEL or piece.words[-1].text != "}":
            continue
        others = [other for other in parts if other is not piece]
        found.append(Found(kernel_name(piece), text.place(piece.start), path, dialect, text.original,
                           partial(_kernel_of, given, text, piece, others, numbers),
                           partial(given.hosts, kernel_name(piece), kept), asked, given.beside))
    return found


def _with_options(given: Given) -> tuple[Text, tuple[str, ...]]:
    """A text of C, and the macros that stand for any integer in it: where conditions ask whether they are defined, they are, each
    as its own name."""
    read = partial(preprocess, given.path, given.dialect, includes=given.includes)
    text = read(defines=given.defines)
    numbers: tuple[str, ...] = ()
    while given.passed is not None and len(numbers) < MOST_NUMBERS:
        new = [name for name in given.passed.any_numbers(text.asks) if name not in numbers and name not in given.defines]
        if not new:
            break
        numbers += (new[0],)
        text = read(defines={**given.defines, **{name: name for name in numbers}})
    is_number = not any(text.asks.get(name) for name in numbers) and not _parts_of_words(given, text, numbers, numbers)
    return (text, numbers) if is_number else (read(defines=given.defines), ())


def _parts_of_words(given: Given, text: Text, names: Collection[str], numbers: Collection[str]) -> list[str]:
    """Those of some macros that `##` or `#` makes other words of: a text which has them as names is another one then than with
    their values. It differs by more than the name itself where that is another. `numbers`: the macros that it has as names."""
    def differs(some: Collection[str]) -> bool:
        others = {name + OTHER: name for name in some}
        defines = {**given.defines, **{name: name for name in numbers}, **{name: other for other, name in others.items()}}
        read = preprocess(given.path, given.dialect, includes=given.includes, defines=defines).text
        return WORD.sub(lambda word: others.get(word[0], word[0]), read) != text.text

    return [name for name in names if differs([name])] if names and differs(names) else []


def _left_out(given: Given, text: Text, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """What a verdict rests on where conditions ask about options of a program that are not known."""
    names = given.passed.left_open(text.asks, given.defines) if given.passed is not None else []
    if given.passed is not None and (others := [name for name in given.passed.open if name not in {*names, *given.defines}]):
        names += _parts_of_words(given, text, others, numbers)
    names = [name for name in names if name not in numbers]
    return (compiled_without(given.passed, names),) if given.passed is not None and names else ()


def _kernel_of(given: Given, text: Text, piece: Piece, others: list[Piece], numbers: tuple[str, ...]) -> Program:
    """A kernel of C. Macros that its host writes as integers, whose values nobody knows here, are parameters, if it can be read
    so. `numbers`: those that are in any case."""
    from automata.lang.c import read_kernel

    numbers = tuple(name for name in numbers if re.search(rf"\b{name}\b", text.text))
    first: InputError | None = None
    while True:
        try:
            program = read_kernel(text, piece, others, given.dialect, numbers)
            return replace(program, assumptions=(*program.assumptions, *(any_number(given.passed, name) for name in numbers)))
        except InputError as error:
            name = re.match(r"'(\w+)' is not declared", error.message)
            more = missed(given.passed, name[1]) if name else "".join(missed(given.passed, each) for each in numbers[:1])
            first = first or (type(error)(error.message + more, error.place) if more else None)
            if not more or name is None or len(numbers) >= MOST_NUMBERS or not _may_be_any(given.passed, name[1], text):
                raise (first or error) from None
            numbers += (name[1],)


def _may_be_any(passed: Passed | None, name: str, text: Text) -> bool:
    """Whether a macro is an integer, and no condition of the text asks about it."""
    asks = re.search(rf"^[ \t]*#[ \t]*(?:if|elif)\w*\b[^\n]*\b{name}\b", text.original, re.M)
    return passed is not None and name in passed.numbers and asks is None and name not in text.asks
