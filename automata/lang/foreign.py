"""Headers and macros that are not a file's own: which headers of libraries are known, and which macros the platform may define.

A condition that asks about such a macro is decided by a compiler, a platform or a header that is not here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from automata.lang.arch import MACRO
from automata.lang.clang.headers import is_torch
from automata.lang.condition import ConditionError, evaluate
from automata.lang.macros import COMMENT, HEADER, Macro, Token
from automata.lang.source import FileRead

UNSURE = "__spmd_unsure"
"""Stands in front of what a macro makes that may be another one on another platform."""
MAX_DOUBTS = 2_000

_HEADER = re.compile(r"""
    (?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdbool|stddef|stdint
      |stdio|stdlib|string|strings|time|unistd|getopt|malloc|memory|omp|pthread|fcntl|dirent|libgen|values|wchar
      |windows|direct|io|process|intrin|winsock2)\.h
    |sys/\w+\.h
    |c(?:assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string
      |time|wchar)
    |algorithm|any|array|atomic|bitset|charconv|chrono|complex|condition_variable|deque|exception|execution|filesystem|forward_list
    |fstream|functional|future|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|limits|list|locale|map|memory|mutex|new
    |numbers|numeric|optional|ostream|queue|random|ratio|regex|set|span|sstream|stack|stdexcept|streambuf|string|string_view
    |strstream|system_error|thread|tuple|type_traits|typeindex|typeinfo|unordered_map|unordered_set|utility|valarray|variant|vector
    |version
    |cuda\w*\.h|cuda_\w+\.hpp|cuda/.*|cooperative_groups(?:/\w+)?(?:\.h)?|device_\w+\.h|host_(?:config|defines)\.h|vector_types\.h
    |vector_functions\.h|driver_types\.h|math_constants\.h|math_functions\.h|sm_\w+\.h(?:pp)?|texture_\w+\.h|surface_\w+\.h
    |curand\w*\.h|cublas\w*\.h|cufft\w*\.h|cusparse\w*\.h|cusolver\w*\.h|nvToolsExt\.h|nvtx3/.*|mma\.h|crt/\w+\.h(?:pp)?
    |cuComplex\.h|nccl\.h|fftw3\.h|gsl/gsl_\w+\.h|bits/stdc\+\+\.h
    |thrust/.*|cub/.*|helper_(?:cuda|functions|timer|string|math|image)\.h|hip/\w+\.h|hiprand/\w+\.h
    |GL/(?:gl|glu|glut|glew|freeglut|glext)\.h|mpi\.h|(?:CL|OpenCL)/(?:cl|cl_ext|cl_gl|cl_platform|opencl)\.h""", re.VERBOSE)
OTHER_PLATFORMS = frozenset({"_WIN32", "_WIN64", "WIN32", "WIN64", "_WINDOWS", "WINDOWS", "_MSC_VER", "__MINGW32__", "__CYGWIN__",
                             "__APPLE__", "__MACH__", "MACOSX", "__MACOSX"})
"""Macros that other platforms than Linux define."""
NOT_IN_C = frozenset({"__cplusplus"})
"""Macros that no compiler of C defines."""
_NOT_HERE = re.compile(r"__CUDA_ARCH__\w*|__HIP\w*|__OPENCL\w*|__SYCL\w*|(?:CL_)?SYCL_LANGUAGE_VERSION")
_PLATFORM = re.compile(r"""_\w+|\w*VERSION\w*|linux|unix|i386|WIN32|WIN64|WINDOWS
    |CHAR_BIT|NULL|EOF|BUFSIZ|NAN|INFINITY|CLOCKS_PER_SEC|ERANGE|EDOM|E[A-Z]{3,7}|errno|assert|NDEBUG|offsetof|true|false|bool
    |U?(?:S?CHAR|SHRT|INT|LONG|LLONG)_(?:MAX|MIN)|[A-Z]?U?INT\w*_(?:MAX|MIN|C)|(?:SIZE|PTRDIFF|RAND|PATH|NAME|FOPEN)_MAX
    |(?:FLT|DBL|LDBL|DECIMAL)_\w+|M_\w+|HUGE_VAL\w*|PRI[a-zA-Z]\w+|SCN[a-zA-Z]\w+|SEEK_\w+|LC_\w+|SIG\w+|EXIT_\w+
    |CUDART_\w+|CUDA_\w+|CU_\w+|CUB_\w+|THRUST_\w+|CURAND_\w+
    |CL_\w+|GL(?:U|UT|EW)?_\w+|APIENTRY|CALLBACK|WINGDIAPI|FREEGLUT\w*|O?MPI_\w+
    |GSL_\w+|HAVE_INLINE|INLINE_\w+|NCCL_\w+|FFTW_\w+
    |(?:AT|C10|TORCH|THC|CAFFE2|PYBIND11)_\w+|D?CHECK\w*|V?LOG\w*""", re.VERBOSE)
"""What the platform, the compiler or a header of a known library may define."""


def is_known_header(name: str) -> bool:
    """Whether a header that was not found is one of a library named here; any other may declare and define anything."""
    return _HEADER.fullmatch(name) is not None or is_torch(name)


def certain_truth(tokens: list[str], macros: Mapping[str, Macro], unsure: Collection[str],
                  decided: Collection[str]) -> bool | None:
    """Whether an operand of a condition, not yet expanded, is true; None where a name in it may be another macro elsewhere, or
    stands for more than a number.

    `unsure`: names of which nothing is certain; `decided`: those that are taken not to be defined elsewhere.
    """
    found: list[str] = []
    for at, name in enumerate(tokens):
        if not name.isidentifier():
            found.append(name)
            continue
        if name == "defined":
            continue
        body = [token.text for token in macros[name].body] if name in macros and macros[name].params is None else []
        is_known = name not in unsure and (name in macros or name in decided or _NOT_HERE.fullmatch(name) is not None)
        asks = tokens[at - 1 : at] == ["defined"] or tokens[max(at - 2, 0) : at] == ["defined", "("]
        if not is_known or name == MACRO or not (asks or name not in macros or (len(body) == 1 and body[0].isdigit())):
            return None
        found.append(str(int(name in macros)) if asks else body[0] if body else "0")
    try:
        return evaluate(found)
    except ConditionError:
        return None


def is_foreign(name: str, missing: list[str]) -> bool:
    """Whether a macro that the file does not define may be defined all the same when its host code is compiled."""
    if _NOT_HERE.fullmatch(name):
        return False
    return _PLATFORM.fullmatch(name) is not None or not all(map(is_known_header, missing))


_SPLICED = re.compile(r"[^\s\\{}()\[\];,]\\\r?\n[^\s{}()\[\];,]|\\[ \t]+\r?\n")
"""A line that is continued inside a word or an operator, or behind blanks: brackets and separators are tokens by themselves."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b(?:\\\n|[^\n])*", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def _is_part(text: str) -> bool:
    """Whether some lines are no whole declarations or statements."""
    begins_or_ends = text[-1:] not in (";", "}") or text.startswith(("else", "}", ")", ","))
    return bool(text) and (begins_or_ends or any(text.count(one) != text.count(two) for one, two in ("()", "{}", "[]")))


@dataclass
class Asked:
    """What an `#if` asks about: names that are not defined. `since`: how many directives were noted before it."""

    since: int
    names: set[str] = field(default_factory=set)


class Doubts:
    """What conditions decide that are not the file's own.

    `ranges`: the positions between which they stand. The macros that they may define expand with `UNSURE` in front.
    `is_lost`: they decide more than can be told, which files are included, say. `decided`: macros that are taken not to be
    defined elsewhere.
    """

    def __init__(self, macros: dict[str, Macro], missing: list[str], decided: frozenset[str] = frozenset()) -> None:
        self.macros = macros
        self.missing = missing
        self.decided = decided
        self.asked: Asked | None = None
        self.noted: list[str] = []
        self.unsure: set[str] = set()
        self.ranges: list[tuple[int, int]] = []
        self.is_lost = False

    def note(self, directive: str, first: str, line: str) -> None:
        """Note a directive that may change a macro, whether it is obeyed or not; an include as `#` and its line."""
        if directive in ("define", "undef"):
            self.noted.append(first)
        elif directive.startswith("include"):
            self.noted.append(f"#{line}")
        elif directive == "line" or (directive == "pragma" and first in ("push_macro", "pop_macro")):
            self.is_lost = True

    def open(self) -> Asked:
        """A condition begins."""
        self.asked = Asked(len(self.noted))
        return self.asked

    def ask(self, names: Iterable[str]) -> None:
        """The condition at hand asks about some names."""
        if self.asked is not None:
            unknown = (name for name in names if name.isidentifier() and name not in self.decided and (
                name in self.unsure or name not in self.macros))
            self.asked.names.update(unknown)

    def close(self, asked: Asked, begin: int, end: int) -> None:
        """A condition ends: a default that the file itself defines is its own."""
        noted = self.noted[asked.since :]
        others = {name for name in asked.names if name in self.unsure or name not in noted}
        if not any(name in self.unsure or is_foreign(name, self.missing) for name in others):
            return
        del self.noted[asked.since :]
        self.ranges.append((begin, end))
        self.is_lost = self.is_lost or len(self.ranges) > MAX_DOUBTS
        for name in noted:
            self._doubt(name)

    def settle(self, files: Iterable[FileRead], macros: Iterable[str]) -> None:
        """All has been read. `macros`: those that the files define."""
        self.is_lost = self.is_lost or self.unsettled(((file.base, file.text) for file in files), macros)

    def unsettled(self, files: Iterable[tuple[int, str]], macros: Iterable[str]) -> bool:
        """Whether more is in doubt than the names between the conditions: a line that is continued inside a word, or behind
        blanks; a condition that parts a statement, or decides whether a macro is used. `files`: beginnings and texts."""
        named = set(macros)
        for base, text in files:
            if _SPLICED.search(text):
                return True
            for begin, end in self.ranges:
                part = COMMENT.sub(" ", text[max(begin - base, 0) : max(end - base, 0)])
                branches = [_DIRECTIVE.sub("", branch).strip() for branch in _CONDITION.split(part)]
                if any(map(_is_part, branches)) or named & set(_NAME.findall(" ".join(branches))):
                    return True
        return False

    def _doubt(self, name: str) -> None:
        header = HEADER.match(name[1:]) if name[:1] == "#" else None
        if header is not None:
            self.is_lost = self.is_lost or not is_known_header(header.group(1) or header.group(2) or "")
        elif name in self.macros and UNSURE not in [token.text for token in self.macros[name].body[:1]]:
            macro = self.macros[name]
            self.macros[name] = replace(macro, body=(Token(UNSURE, True, -1), *macro.body))
        self.unsure.add(name)
