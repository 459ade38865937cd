"""The macros that stand before a text is read, and what the text asks about them and about those that do not stand.

Versions, features of a device, switches of a build: a condition that is answered for another compiler, toolkit or build may
choose another text, and a verdict about this one would not hold of it. So what conditions were told is collected while they are
read, and said with the verdict. What every compiler for Linux with a 64-bit host answers alike is left out (`PLATFORM`), and
`__CUDA_ARCH__` has a line of its own (`arch`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from automata.lang.arch import DEFAULT, MACRO
from automata.lang.macros import SPECIAL, Macro, definition, lex
from automata.place import InputError

PREDEFINED: dict[str, tuple[str, ...]] = {
    "c": (), "c++": ("__cplusplus 201703L",),
    "cuda": ("__CUDACC__ 1", "__NVCC__ 1", f"{MACRO} {DEFAULT}", "__cplusplus 201703L",
             *(f"__CUDA_{kind}_H__ 1" for kind in ("FP16", "BF16", "FP8"))),
    "opencl": ("__OPENCL_VERSION__ 120", "__OPENCL_C_VERSION__ 120", "CL_VERSION_1_2 120",
               "CLK_LOCAL_MEM_FENCE 1", "CLK_GLOBAL_MEM_FENCE 2", "__const const", "__volatile__ volatile", "cl_khr_fp64 1",
               "cl_khr_byte_addressable_store 1", *(f"cl_khr_{space}_int32_{kind}_atomics 1" for space in ("global", "local")
                                                    for kind in ("base", "extended"))),
}

PLATFORM = re.compile(r"__CUDACC__|__NVCC__|defined|__has_\w+|__LINE__|__FILE__|__COUNTER__|true|false"
                      r"|_?_?(?:linux|unix|WIN32|WIN64|MSC_VER|APPLE|ANDROID|CYGWIN|MINGW\d\d|MINGW)_?_?|_MSC_\w+|_MSVC_\w+|__GNU\w*"
                      r"|__HIP\w*|__INTEL\w*|__ICC|__SYCL\w*|__MUSA\w*|__x86_64__|__i386__|__amd64__|__aarch64__|__arm\w*|_M_\w+"
                      r"|__SIZEOF_\w+|__\w+_(?:MAX|TYPE|WIDTH)__|__BYTE_ORDER__|__ORDER_\w+|__LP64__|__STDC\w*|__cpp_\w+|__EDG\w*"
                      r"|__clang\w*|__llvm__|__PTRDIFF\w*")
VERSIONS = re.compile(r"CUDA_VERSION|CUDART_VERSION|__CUDACC_VER_\w+|(?:THRUST|CUB)_VERSION")
"""Macros of the toolkit that count wherever a text uses them, not in conditions alone."""
CONDITION = re.compile(rf"#\s*(?:el)?if|##|{VERSIONS.pattern}")
"""What a text has that may ask."""
_SHOWN = 12
MACROS = "the text asks about macros"
"""How what a verdict rests on begins where conditions asked."""


@cache
def macros_of(header: str) -> dict[str, Macro]:
    """The macros that a header defines; of its own, which begin with spmd, none."""
    lines = re.findall(r"(?m)^#define (\w.*[^\\\n]|\w)$", header)
    found = (definition(lex(line)) for line in lines if not line.lower().startswith("__spmd"))
    return {macro.name: macro for macro in found}


@cache
def _torch() -> str:
    return (Path(__file__).resolve().parent / "stubs" / "torch.h").read_text(encoding="utf-8")


@cache
def dispatching() -> dict[str, Macro]:
    """PyTorch's macros that choose the type of elements: host code launches templates through them, and where its headers are not
    found, the stub's own say which types those are."""
    return {name: macro for name, macro in macros_of(_torch()).items() if name.startswith(("AT_DISPATCH", "AT_PRIVATE"))}


@cache
def elements() -> dict[str, list[str]]:
    """The tokens of the type that each of PyTorch's names for a type of elements stands for, `Float` for one."""
    rows = re.findall(r"__SPMD_ELEMENT\((\w+), ([\w:]+)\)", _torch())
    return {name: [token.text for token in lex(kind)] for name, kind in rows}


class Asks:
    """The names that conditions asked about, in order, each with its answer: what it stood for, or None for not defined.

    `own`: the names that the text defines itself, at any place: a header's guard is no question to the compiler. `defaults`:
    those of them that it defines after it has asked, and what each stands for: others may define them otherwise. `by_value`: of
    all names, whether more was asked than if they are defined.
    """

    def __init__(self, given: Mapping[str, Macro], stated: Collection[str]) -> None:
        self.given = given
        self.stated = stated
        self.names: dict[str, None] = {}
        self.own: set[str] = set()
        self.defaults: dict[str, Macro] = {}
        self.by_value: dict[str, bool] = {}

    def ask(self, names: Iterable[str], by_value: bool = False) -> None:
        """Note what one condition asks about."""
        for name in names:
            self.names[name] = None
            self.by_value[name] = by_value or self.by_value.get(name, False)

    def define(self, macro: Macro) -> None:
        """Note what a text defines."""
        if macro.name in self.names and macro.name not in self.given and macro.params is None and macro.body:
            self.defaults[macro.name] = macro

    def answers(self, used: Mapping[str, Macro]) -> dict[str, str | None]:
        """What was asked, of the toolkit's versions also what is in `used`, and of the text's own defaults those in `used`."""
        given = {name: macro for name, macro in used.items() if self.given.get(name) is macro}
        own = {name: macro for name, macro in self.defaults.items() if used.get(name) is macro}
        names = [*self.names, *(name for name in given if VERSIONS.fullmatch(name))]
        left = {name for name in self.own if name not in self.given and name not in own} | {MACRO, *self.stated}
        return {name: "".join(token.text for token in macro.body) if (macro := own.get(name, self.given.get(name))) is not None
                else None for name in names if name not in left and not PLATFORM.fullmatch(name)}


@cache
def predefined(dialect: str) -> dict[str, Macro]:
    """The macros of a dialect."""
    return SPECIAL | {macro.name: macro for macro in (definition(lex(text)) for text in PREDEFINED[dialect])}


def stated(defines: Mapping[str, str]) -> dict[str, Macro]:
    """The macros of `-D`: NAME to replacement. InputError for what is not a name."""
    macros = {}
    for name, value in defines.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name == "defined":
            raise InputError(f"-D '{name}': not a macro name")
        macros[name] = definition(lex(f"{name} {value if value != '' else '1'}"))
    return macros


def as_answered(answers: Mapping[str, str | None]) -> str:
    """What a verdict rests on where conditions asked."""
    said = [f"{name} == {value}" if re.fullmatch(r"[-\w.+()]+", value) else f"{name} defined"
            for name, value in answers.items() if value is not None]
    said += [f"{name} {'false' if name.endswith(')') else 'not defined'}" for name, value in answers.items() if value is None]
    more = f" and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
    return f"{MACROS}: {', '.join(said[:_SHOWN])}{more}; -D states others"
