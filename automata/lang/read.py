"""Text to Core: which front end reads a file, and the kernels it finds there.

`c` (pycparser) reads OpenCL C and CUDA written in C; `clang` (libclang) reads CUDA C++. `auto` takes `c` for
OpenCL and `clang` for CUDA. Both give the same Core for a kernel that both read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from automata.lang.arch import DEFAULT, MACRO, arch_macros, compiled_for
from automata.lang.c import read_kernel
from automata.lang.core import Kernel
from automata.lang.elaborate.kernel import elaborate
from automata.lang.given import CONDITION, as_answered, macros_of
from automata.lang.preprocess import Dialect, Text, preprocess
from automata.lang.slices import Part, kernel_name, pieces
from automata.lang.source import read_source
from automata.lang.tree import Program
from automata.passes import passing
from automata.place import InputError, Place, UnsupportedError

Frontend = Literal["auto", "clang", "c"]
DEVICE = re.compile(MACRO)


@dataclass(frozen=True, slots=True)
class Found:
    """A kernel of a file, not yet read. `text`: its host code, preprocessed; `asked`: what a verdict rests on
    where the file asks for the device or about macros."""

    name: str
    place: Place
    path: str
    dialect: Dialect
    original: str = field(repr=False)
    program: Callable[[], Program] = field(repr=False)
    text: Callable[[], Text] = field(repr=False)
    asked: Callable[[], tuple[str, ...]] = field(repr=False)

    def read(self) -> Kernel:
        """The kernel as Core."""
        try:
            kernel = elaborate(self.program())
            return replace(kernel, name=self.name, assumptions=(*kernel.assumptions, *self.asked()))
        except RecursionError as error:
            raise UnsupportedError("expressions nested too deeply", self.place) from error


@passing("find", lambda found: f"{len(found)} kernels" if len(found) != 1 else found[0].name)
def find_kernels(path: str, kernel: str | None = None, dialect: Dialect | None = None, defines: dict[str, str] | None = None,
                 includes: tuple[str, ...] = (), frontend: Frontend = "auto", arch: str | None = None) -> list[Found]:
    """The kernels of a file, or the one that was named. InputError when there is none.

    A template kernel is as many kernels as there are instantiations of it; `kernel` may be `reduce<float, 256>`. `arch`: the
    device that CUDA text is compiled for, as `sm_80`.
    """
    dialect = dialect or ("opencl" if path.endswith(".cl") else "cuda")
    if arch is not None:
        device = arch_macros(arch)
        defines = {**(device if dialect == "cuda" else {}), **(defines or {})}
    with_clang = frontend == "clang" or (frontend == "auto" and dialect == "cuda")
    found = (_with_clang(path, kernel, dialect, defines or {}, includes) if with_clang
             else _with_c(path, dialect, defines or {}, includes))
    if not found:
        word = "__kernel" if dialect == "opencl" else "__global__"
        raise InputError(f"no kernel here: nothing is marked {word}", Place(path, 0, 0))
    if kernel is None:
        return found
    chosen = [item for item in found if _is_called(item.name, kernel)]
    if not chosen:
        names = ", ".join(item.name for item in found)
        raise InputError(f"no kernel '{kernel}' here; there is: {names}", Place(path, 0, 0))
    return chosen


def _is_called(name: str, asked: str) -> bool:
    """Whether a kernel is the one asked for; a template's name alone stands for all its instantiations."""
    def plain(text: str) -> str:
        return text.replace(" ", "")

    return plain(name) == plain(asked) or ("<" not in asked and name.partition("<")[0] == asked)


def _rests_on(text: Text) -> tuple[str, ...]:
    """What a verdict rests on for the questions that a text asks about its device and its macros."""
    device = (compiled_for(text.arch),) if text.arch else ()
    return (*device, as_answered(text.asked)) if text.asked else device


def _with_clang(path: str, kernel: str | None, dialect: Dialect, defines: dict[str, str],
                includes: tuple[str, ...]) -> list[Found]:
    from automata.lang.clang.program import parse

    original = read_source(path)
    probes = (kernel,) if kernel is not None and "<" in kernel else ()
    unit = parse(path, None, dialect=dialect, defines=defines, includes=includes, probes=probes)

    def text() -> Text:
        return preprocess(path, dialect, defines=defines, includes=includes, side="host")

    @cache
    def asked() -> tuple[str, ...]:
        if not unit.matches(CONDITION) and not unit.matches(DEVICE):
            return ()
        try:
            given = preprocess(path, dialect, defines=defines, includes=includes, library=macros_of(unit.stub))
            return _rests_on(given)
        except InputError:
            return (compiled_for(defines.get(MACRO, DEFAULT)),) if dialect == "cuda" and unit.matches(DEVICE) else ()

    found = []
    for item in unit.kernels:
        names = [f"{item.name}<{arguments}>" for arguments in item.instances] if item.is_template else [item.name]
        if probes and item.name == kernel.partition("<")[0].strip() if kernel else False:
            names = list(probes)
        for name in names or [item.name]:
            found.append(Found(name, item.place, path, dialect, original, lambda name=name: unit.read(name), text, asked))  # type: ignore[misc]
    return found


def _with_c(path: str, dialect: Dialect, defines: dict[str, str], includes: tuple[str, ...]) -> list[Found]:
    text = preprocess(path, dialect, defines=defines, includes=includes)

    def host() -> Text:
        return preprocess(path, dialect, defines=defines, includes=includes, side="host")

    parts = pieces(text)
    found = []
    for piece in parts:
        if piece.part is not Part.KERNEL or piece.words[-1].text != "}":
            continue
        others = [other for other in parts if other is not piece]
        found.append(Found(kernel_name(piece), text.place(piece.start), path, dialect, text.original,
                           lambda piece=piece, others=others: read_kernel(text, piece, others, dialect),  # type: ignore[misc]
                           host, lambda: _rests_on(text)))
    return found
