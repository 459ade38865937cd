"""What else of a project may reach a function or variable of a text: programs of other languages, texts that are made into C,
and builds that rename.

In: the folder tree of a project and a name. Out: three answers, from texts as they are. `exported`: something may call what has
C's linkage; `any`: something may call it whatever its linkage (Objective-C++, Cython, Swift, interface files, sources of a
parser generator or a template engine; a mangled name; other languages that speak of C++; a build that gives a macro the name);
`variable`: something may set a variable of the name. A word in a language that links no C says nothing. Fortran writes names in
any case and without the `_` at their end; Java makes those of its methods.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache

LINKED = (".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".fpp", ".pf", ".go", ".rs", ".m", ".d", ".zig",
          ".nim", ".hs",
          ".ml", ".adb", ".ads", ".pas", ".cr", ".odin", ".v3", ".asm", ".s", ".sx", ".ll", ".cob")
"""Languages whose objects are linked with C's. Endings are compared in small letters."""
LOADING = (".py", ".pyi", ".ipynb", ".java", ".kt", ".scala", ".jl", ".lua", ".rb", ".cs", ".fs", ".vb", ".r", ".rmd", ".pl",
           ".pm",
           ".php", ".js", ".mjs", ".cjs", ".ts", ".dart", ".ex", ".exs", ".erl", ".clj", ".lisp", ".scm", ".rkt", ".ss",
               ".tcl", ".raku")
"""Languages that load a library and call it."""
MADE_C = (".mm", ".pyx", ".pxd", ".pxi", ".swift", ".i", ".swg", ".sip", ".y", ".yy", ".ypp", ".l", ".lex", ".lpp", ".in", ".j2",
          ".jinja", ".jinja2", ".mako", ".tmpl", ".template", ".cog", ".ino",
          *(f"{each}.in" for each in (".c", ".cc", ".cpp", ".cxx", ".cu", ".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc", ".inl")))
"""What becomes C or C++, or calls it as such."""
OTHERS = (*LINKED, *LOADING, *MADE_C)
BUILDS = (".mk", ".mak", ".make", ".cmake", ".bzl", ".bazel", ".gyp", ".gypi", ".gn", ".pro", ".pri", ".vcxproj", ".props",
          ".am", ".ac",
          ".ninja", ".sh", ".bat", ".cfg", ".toml", ".rsp", ".def", ".ld", ".lds")
BUILD_NAMES = ("makefile", "gnumakefile", "cmakelists.txt", "meson.build", "build", "sconstruct", "sconscript", "wscript",
               "configure",
               "jamfile", "jamroot", "setup.py", "build.rs", "xmake.lua", "premake5.lua", "compile_commands.json",
                   "cmakepresets.json")
MOST_BYTES = 16_000_000
_LOOKED_UP = re.compile(r"\b(?:getattr|__getitem__|dlsym|GetProcAddress)\b|\[\s*f[\"']")
_OF_CPP = re.compile(r"c\+\+|cpp|cxx|\bROOT\b|\bgInterpreter\b|_Z\d", re.I)
_PYTHON_OF_CPP = re.compile(r"cppyy|load_inline|set_source|gInterpreter|\bgROOT\b|ProcessLine|_Z\d")
_SETS = re.compile(r"\bin_dll\b|\bcglobal\b|\bffi\b|\bimport_symbol\b|\bdlsym\b|\bGetProcAddress\b")
_GIVEN = r"""(?:-D\s*|/D\s*|DEFIN[^)]{0,400}?)\w+(?:\([^)\s]*\))?=[^\s,;]*NAME
             |define_macros[^\]]*["']\w+["']\s*,[^\]]*NAME|(?:defsym|--wrap|redefine-sym|alternatename|PROVIDE)[^\n]*NAME
             |^\s*\w+\s*=\s*_?NAME\s*(?:@.*)?$"""
"""A build that gives a macro a value with a name, or a symbol another one."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether something of another kind may call a function with C's linkage, any function, or set a variable, of one name."""

    exported: bool = False
    any: bool = False
    variable: bool = False


def reached(folder: str, name: str) -> Reached:
    """What the other files of a folder tree may do with what has a name."""
    word = re.compile(rf"\b{re.escape(name.rstrip('_'))}_*\b|_Z\w*\d{re.escape(name)}", re.I)
    mangled = re.compile(rf"_Z\w*\d{re.escape(name)}")
    given = re.compile(_GIVEN.replace("NAME", rf"(?<![\w./-])(?:_Z\w*\d)?{re.escape(name)}(?![./-])"), re.I | re.X | re.M)
    is_exported = name.startswith("Java_") and bool(_files(folder, (".java", ".kt", ".scala")))
    is_any = is_variable = False
    for file in _files(folder, OTHERS):
        text = _text(file)
        if text is None:
            return Reached(True, True, True)
        makes = _makes_names(file)
        if makes or word.search(text):
            is_exported = True
            is_variable |= file.lower().endswith((*LINKED, *MADE_C)) or _SETS.search(text) is not None
            is_any |= mangled.search(text) is not None or (not makes and _speaks_cpp(file, text))
    is_any |= any((text := _text(file)) is None or (name in text and given.search(text) is not None)
                  for file in _files(folder, None))
    return Reached(is_exported or is_any, is_any, is_variable or is_any)


@cache
def forced(folder: str) -> frozenset[str]:
    """The headers that builds put before every text, by their last names."""
    option = re.compile(r"(?:-include|/FI)[\s\"',]*([\w./$(){}-]+)")
    whole = re.compile(r"precompile_headers\s*\(([^)]*)\)", re.I)
    texts = [_text(file) or "" for file in _files(folder, None)]
    listed = (name for text in texts for found in whole.findall(text) for name in re.findall(r"[\w./${}-]+", found))
    return frozenset(map(os.path.basename, (*listed, *(name for text in texts for name in option.findall(text)))))


@cache
def renames_main(folder: str) -> bool:
    """Whether a build gives `main` another name in some text."""
    return any((text := _text(file)) is None or re.search(r"-D[\s\"']*main=", text) is not None for file in _files(folder, None))


@cache
def compiles_as_cuda(folder: str) -> bool:
    """Whether a build compiles some text as one of CUDA whatever it is called."""
    option = re.compile(r"(?:-x|--x)(?:[\s=\"',]+)cu\b|\bLANGUAGE[\s\"]+CUDA\b|CUDA_SOURCE_PROPERTY_FORMAT", re.I)
    return any((text := _text(file)) is None or option.search(text) is not None for file in _files(folder, None))


@cache
def _makes_names(file: str) -> bool:
    return _LOOKED_UP.search(_text(file) or "") is not None


def _speaks_cpp(file: str, text: str) -> bool:
    """Whether a text of another language may call functions of C++."""
    if file.lower().endswith(MADE_C):
        return True
    return (_PYTHON_OF_CPP if file.endswith((".py", ".ipynb")) else _OF_CPP).search(text) is not None


@cache
def _files(folder: str, endings: tuple[str, ...] | None) -> tuple[str, ...]:
    """The files of a tree with some endings; without, those that say how it is built."""
    return tuple(os.path.join(at, each) for at, names in _tree(folder) for each in names if (
        each.lower().endswith(endings) if endings is not None else each.lower().endswith(BUILDS) or each.lower() in BUILD_NAMES))


@cache
def _tree(folder: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The folders of a tree that are not hidden, with the names in them."""
    found = list[tuple[str, tuple[str, ...]]]()
    for at, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".") and each != "node_modules"]
        found.append((at, tuple(names)))
    return tuple(found)


def is_of_another(name: str) -> bool:
    """Whether a file of a name is looked at here."""
    last = os.path.basename(name).lower()
    return last.endswith((*OTHERS, *BUILDS)) or last in BUILD_NAMES


def files_called(folder: str, names: frozenset[str]) -> list[str]:
    """The files of a tree by their last names."""
    return [os.path.join(at, each) for at, files in _tree(folder) for each in files if each in names]


@cache
def _text(file: str) -> str | None:
    """A text as it is; None for one that is not read."""
    try:
        if os.path.getsize(file) > MOST_BYTES:
            return None
        with open(file, encoding="utf-8-sig", errors="replace") as stream:
            return stream.read()
    except OSError:
        return None if os.path.lexists(file) and not os.path.islink(file) else ""


def forget() -> None:
    """Look again at which files there are."""
    for kept in (_files, _tree, _text, forced, renames_main, compiles_as_cuda, _makes_names):
        kept.cache_clear()
