"""Headers and macros that are not a file's own: which headers of libraries are known, and which macros the platform may define.

A condition that asks about such a macro is decided by a compiler, a platform or a header that is not here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

from automata.lang.arch import MACRO
from automata.lang.clang.headers import is_torch
from automata.lang.condition import ConditionError, evaluate
from automata.lang.macros import COMMENT, HEADER, Macro, Token
from automata.lang.source import FileRead, read_raw
from automata.place import InputError

UNSURE = "__spmd_unsure"
"""Stands in front of what a macro makes that may be another one on another platform."""
MAX_DOUBTS = 2_000
TEMPLATE = ".in"
"""What a header's name ends with that a build writes for each machine: `config.h.in`."""
ERROR = "#error"
"""Stands among the headers that are missing where an `#error` is reached."""

_HEADER = re.compile(r"""
    (?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdbool|stddef|stdint
      |stdio|stdlib|string|strings|time|unistd|getopt|malloc|memory|omp|pthread|fcntl|dirent|libgen|values|wchar
      |windows|tchar|direct|io|process|intrin|winsock2|error|err|mm_malloc)\.h
    |sys/\w+\.h
    |c(?:assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string
      |time|wchar)
    |algorithm|any|array|atomic|bitset|charconv|chrono|complex|condition_variable|deque|exception|execution|filesystem|forward_list
    |fstream|functional|future|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|limits|list|locale|map|memory|mutex|new
    |numbers|numeric|optional|ostream|queue|random|ratio|regex|set|span|sstream|stack|stdexcept|streambuf|string|string_view
    |strstream|system_error|thread|tuple|type_traits|typeindex|typeinfo|unordered_map|unordered_set|utility|valarray|variant|vector
    |version|barrier|bit|charconv|codecvt|compare|concepts|coroutine|expected|format|latch|print|ranges|scoped_allocator|semaphore
    |shared_mutex|source_location|stop_token|(?:\w*mm|x86|popcnt|amm|arm_)intrin\.h|arm_neon\.h|cpuid\.h
    |(?:dlfcn|execinfo|netdb|poll|pwd|sched|semaphore|spawn)\.h
    |cuda\w*\.h|cuda_\w+\.hpp|cuda/.*|cooperative_groups(?:/\w+)?(?:\.h)?|device_\w+\.h|host_(?:config|defines)\.h|vector_types\.h
    |vector_functions\.h|driver_types\.h|math_constants\.h|math_functions\.h|sm_\w+\.h(?:pp)?|texture_\w+\.h|surface_\w+\.h
    |curand\w*\.h|cublas\w*\.h|cufft\w*\.h|cusparse\w*\.h|cusolver\w*\.h|nvToolsExt\.h|nvtx3/.*|mma\.h|crt/\w+\.h(?:pp)?
    |nvrtc\.h|nvml\.h|cudnn\w*\.h|cutensor\w*\.h|library_types\.h
    |cuComplex\.h|nccl\.h|fftw3\.h|gsl/gsl_\w+\.h|bits/stdc\+\+\.h
    |thrust/.*|cub/.*|helper_(?:cuda|functions|timer|string|math|image)\.h|hip/\w+\.h|hiprand/\w+\.h
    |GL/(?:gl|glu|glut|glew|freeglut|glext)\.h|mpi\.h|(?:CL|OpenCL)/(?:cl|cl_ext|cl_gl|cl_platform|opencl)\.h
    |glog/\w+\.h|gflags/\w+\.h|g(?:test|mock)/\w+\.h|google/protobuf/.*|cxxabi\.h|fmt/\w+\.h|spdlog/.*|nlohmann/json\.hpp|(?:[\w.-]+/)*\w+\.pb\.h
    |(?:unsupported/)?Eigen/\w+|(?:open)?cblas\w*\.h|mkl\w*\.h|lapacke?\w*\.h
    |boost/(?!archive|serialization|spirit|phoenix|lambda|bind|assign|xpressive|proto/|program_options).*""", re.VERBOSE)
_BELOW = re.compile(r"^(?:[\w.-]+/)+(?=(?:cub|thrust)/)")
OTHER_PLATFORMS = frozenset({"_WIN32", "_WIN64", "WIN32", "WIN64", "_WINDOWS", "WINDOWS", "_MSC_VER", "__MINGW32__", "__CYGWIN__",
                             "__APPLE__", "__MACH__", "MACOSX", "__MACOSX", "__EMSCRIPTEN__", "EMSCRIPTEN", "__wasm__",
                             "__ANDROID__", "__FreeBSD__", "__MCUDA__", "__DEVICE_EMULATION__"})
"""Macros that other platforms than Linux define; and what makes code for CPUs of CUDA: MCUDA, and nvcc before version 3.1 where
it is asked to."""
NOT_IN_C = frozenset({"__cplusplus"})
"""Macros that no compiler of C defines."""
NOT_IN_HOSTS = frozenset({"__CUDACC__", "__NVCC__"})
"""Macros that are defined where a text is compiled as one of CUDA."""
_NOT_HERE = re.compile(r"__CUDA_ARCH__\w*|__HIP\w*|__OPENCL\w*|__SYCL\w*|(?:CL_)?SYCL_LANGUAGE_VERSION")
_PLATFORM = re.compile(r"""_\w+|\w*VERSION\w*|linux|unix|i386|WIN32|WIN64|WINDOWS
    |CHAR_BIT|NULL|EOF|BUFSIZ|NAN|INFINITY|CLOCKS_PER_SEC|ERANGE|EDOM|E[A-Z]{3,7}|errno|assert|NDEBUG|offsetof|true|false|bool
    |U?(?:S?CHAR|SHRT|INT|LONG|LLONG)_(?:MAX|MIN)|[A-Z]?U?INT\w*_(?:MAX|MIN|C)|(?:SIZE|PTRDIFF|RAND|PATH|NAME|FOPEN)_MAX
    |(?:FLT|DBL|LDBL|DECIMAL)_\w+|M_\w+|HUGE_VAL\w*|PRI[a-zA-Z]\w+|SCN[a-zA-Z]\w+|SEEK_\w+|LC_\w+|SIG\w+|EXIT_\w+
    |CUDART_\w+|CUDA_\w+|CU_\w+|CUB_\w+|THRUST_\w+|CURAND_\w+|NVRTC_\w+|NVML_\w+|CUDNN_\w+|CUTENSOR_\w+
    |CL_\w+|GL(?:U|UT|EW)?_\w+|APIENTRY|CALLBACK|WINGDIAPI|FREEGLUT\w*|O?MPI_\w+
    |GSL_\w+|HAVE_INLINE|INLINE_\w+|NCCL_\w+|FFTW_\w+
    |(?:AT|C10|TORCH|THC|CAFFE2|PYBIND11)_\w+|[DP]*CHECK\w*|[DPRV]*LOG\w*
    |(?:GLOG|GFLAGS|GOOGLE|COMPACT|BOOST|GTEST|GMOCK|EXPECT|ASSERT|PROTOBUF|FMT|SPDLOG|NLOHMANN|JSON|CBLAS|MKL|LAPACKE?|EIGEN)_\w+
    |FLAGS_\w+|TEST\w*""", re.VERBOSE)
"""What the platform, the compiler or a header of a known library may define."""


def is_known_header(name: str) -> bool:
    """Whether a header that was not found is one of a library named here, be it below other folders; any other may declare and
    define anything."""
    return _HEADER.fullmatch(_BELOW.sub("", name)) is not None or is_torch(name)


def not_found(missing: Iterable[str]) -> tuple[str, ...]:
    """What is assumed of headers that a kernel's text includes and that were not found: one of an unknown library may declare a
    closer overload, or define a macro of any name that the text uses."""
    names = [name for name in missing if not is_known_header(name)]
    said = f"of headers that were not found this kernel uses nothing: {', '.join(names)} (-I says where they are)"
    return (said,) if names else ()


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


def is_one_operand(name: str, macros: Mapping[str, Macro]) -> bool:
    """Whether what a name stands for in a condition stays an operand of its own: one token, or all of it in brackets. `1 || 1`
    does not."""
    seen: set[str] = set()
    while name in macros and name not in seen:
        seen.add(name)
        body = [token.text for token in macros[name].body]
        if len(body) != 1 or macros[name].params is not None:
            depths = list(accumulate((token == "(") - (token == ")") for token in body))
            return body[:1] == ["("] and 0 not in depths[:-1] and depths[-1:] == [0]
        name = body[0]
    return True


def is_foreign(name: str, missing: list[str]) -> bool:
    """Whether a macro that the file does not define may be defined all the same when its host code is compiled."""
    if _NOT_HERE.fullmatch(name):
        return False
    return _PLATFORM.fullmatch(name) is not None or not all(map(is_known_header, missing))


_SPLICED = re.compile(r"[^\s\\{}()\[\];,]\\\r?\n[^\s{}()\[\];,]|\\[ \t]+\r?\n")
"""A line that is continued inside a word or an operator, or behind blanks: brackets and separators are tokens by themselves."""
_APART = re.compile(r'"(?:\\.|[^"\\\n])*+"|\'(?:\\.|[^\'\\\n])*+\'|//[^\n]*+|(/\*(?:[^*]|\*(?!/))*+\*/)', re.DOTALL)
"""Strings and comments; a comment between `/*` and `*/` may hold anything, but for an end that lines part."""
_PARTED_END = re.compile(r"\*\\\s*\n/")
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b(?:\\\n|[^\n])*", re.MULTILINE)
_IN_CPP = re.compile(r"^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?)[ \t]*\n"
                     r"((?:(?![ \t]*#)[^\n]*\n)*)[ \t]*#[ \t]*endif\b[^\n]*", re.MULTILINE)
"""What C++ alone sees, without a branch for others or a directive in it: `extern "C" {`."""
_OPENS, _CLOSES = re.compile(r"[ \t]*#[ \t]*if"), re.compile(r"[ \t]*#[ \t]*endif")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


_QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
_LEFT_OPEN = re.compile(r"\s*#\s*(?:(?:undef|define|cmakedefine(?:01)?)\s+(\w+)\b.*|(?:ifndef|ifdef|if|endif)\b.*)\s*")
_OF_C = frozenset({"const", "inline", "restrict", "volatile", "signed", "size_t", "ssize_t", "off_t", "pid_t", "mode_t",
                   *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)), "uintptr_t", "ptrdiff_t"})
_CLOSING = {")": "(", "]": "[", "}": "{"}


def _branches(text: str) -> Iterator[str]:
    """What stands in the branches of conditions: in each without the conditions inside of it, then in those. So whichever of them
    are taken, the brackets in a branch have their partners if they have them in each of these."""
    at, inside = 0, [""]
    for found in _CONDITION.finditer(text):
        inside[-1] += text[at:found.start()]
        at = found.end()
        if _OPENS.match(found[0]):
            inside.append("")
            continue
        yield inside[-1]
        inside[-1] = ""
        if _CLOSES.match(found[0]) and len(inside) > 1:
            inside.pop()
    inside[-1] += text[at:]
    yield from inside


def _is_part(text: str) -> bool:
    """Whether some lines are no whole declarations or statements."""
    return bool(text) and (text[-1:] not in (";", "}") or text.startswith(("else", ",")))


def _is_paired(tokens: Iterable[str]) -> bool:
    """Whether all brackets among some tokens have their partners there."""
    opened = list[str]()
    for token in tokens:
        if token in ("(", "[", "{"):
            opened.append(token)
        elif token in _CLOSING and (not opened or opened.pop() != _CLOSING[token]):
            return False
    return not opened


@dataclass
class Asked:
    """What an `#if` asks about: names that are not defined. `since`: how many directives were noted before it; `missing`: how
    many headers were missing."""

    since: int
    missing: int = 0
    names: set[str] = field(default_factory=set)


class Doubts:
    """What conditions decide that are not the file's own.

    `ranges`: the positions between which they stand; `parted`: those that are no whole statements; `brought`: the names that
    macros bring which are used there; `defined`: all definitions of each macro. The macros that they may define expand with
    `UNSURE` in front.
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
        self.parted = set[tuple[int, int]]()
        self.brought = set[str]()
        self.defined: dict[str, list[Macro]] = {}
        self.is_lost = False
        self.configured: dict[str, frozenset[str]] = {}
        self._assertions(macros)

    def _assertions(self, names: Iterable[str]) -> None:
        """Where NDEBUG may be defined, whether `assert` tests anything is in doubt: that hangs on which header is read when."""
        if "NDEBUG" in names:
            self.unsure.add("assert")

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
        self.asked = Asked(len(self.noted), len(self.missing))
        return self.asked

    def ask(self, names: Iterable[str]) -> None:
        """The condition at hand asks about some names."""
        if self.asked is not None:
            unknown = (name for name in names if name.isidentifier() and name not in self.decided and (
                name in self.unsure or name not in self.macros))
            self.asked.names.update(unknown)

    def close(self, asked: Asked, begin: int, end: int) -> None:
        """A condition ends: a default that the file itself defines is its own. Where the platform decides it, an `#error` in it
        is not reached, for the program compiles: that says no more than that all of it is in doubt."""
        noted = self.noted[asked.since :]
        others = {name for name in asked.names if name in self.unsure or name not in noted}
        if not any(name in self.unsure or is_foreign(name, self.missing) for name in others):
            return
        if any(name in self.unsure or _PLATFORM.fullmatch(name) for name in others):
            self.missing[asked.missing :] = [name for name in self.missing[asked.missing :] if name != ERROR]
        del self.noted[asked.since :]
        self.ranges.append((begin, end))
        self.is_lost = self.is_lost or len(self.ranges) > MAX_DOUBTS
        for name in noted:
            self._doubt(name)

    def define(self, macro: Macro) -> None:
        """Note a definition, whatever becomes of it later."""
        self.defined.setdefault(macro.name, []).append(macro)
        self._assertions((macro.name,))

    def leave_open(self, template: str, header: str) -> bool:
        """A header is included that the build writes from a template: each macro of it may be defined, as anything, or not.
        Whether the template says so."""
        names = configured(template)
        if names is None or names & self.macros.keys():
            return False
        self.configured[header] = names
        self.unsure |= names
        return True

    def used(self, text: str) -> list[str]:
        """The headers of builds whose macros stand in what was made of a text, so that it may say anything there."""
        words = set(_NAME.findall(text))
        return [header for header, names in self.configured.items() if words & names]

    def settle(self, files: Iterable[FileRead]) -> None:
        """All has been read: more is in doubt than the names between the conditions where a line is continued inside a word, or
        behind blanks, where a branch has brackets without their partners, or uses macros of which it cannot be told what they
        bring. A branch that parts a statement is noted."""
        read = list(files)
        for file in read:
            plain = _APART.sub(lambda found: "" if found[1] and not _PARTED_END.search(found[1]) else found[0], file.text)
            self.is_lost = self.is_lost or _SPLICED.search(plain) is not None
            for begin, end in self.ranges:
                if not file.base <= begin < file.base + len(file.text):
                    continue
                part = COMMENT.sub(" ", file.text[begin - file.base : end - file.base])
                if "__cplusplus" in self.macros.keys() - self.unsure:
                    part = _IN_CPP.sub(r"\1", part)
                branches = [_DIRECTIVE.sub("", branch).strip() for branch in _branches(part)]
                paired = all(_is_paired(_QUOTED.sub("", branch)) for branch in branches)
                self.is_lost = self.is_lost or not paired or not self._bring(set(_NAME.findall(" ".join(branches))), read)
                if any(map(_is_part, branches)):
                    self.parted.add((begin, end))

    def _bring(self, words: set[str], files: list[FileRead]) -> bool:
        """Note the names that macros among some words may bring; False where that cannot be told."""
        todo = [name for name in words if name in self.defined]
        while todo:
            name = todo.pop()
            if name in self.brought:
                continue
            self.brought.add(name)
            for macro in self.defined[name]:
                said = [token.text for token in macro.body]
                pasted = _pasted(macro)
                if not _is_paired(said) or pasted is None:
                    return False
                brought = {each for each in said if each.isidentifier()}
                for parts in pasted:
                    brought |= {word for file in files for word in set(_NAME.findall(file.text)) if all(
                        part in word for part in parts)}
                self.brought |= brought - self.defined.keys()
                todo += brought & self.defined.keys()
        return True

    def _doubt(self, name: str) -> None:
        header = HEADER.match(name[1:]) if name[:1] == "#" else None
        if header is not None:
            self.is_lost = self.is_lost or not is_known_header(header.group(1) or header.group(2) or "")
        elif name in self.macros and UNSURE not in [token.text for token in self.macros[name].body[:1]]:
            macro = self.macros[name]
            self.macros[name] = replace(macro, body=(Token(UNSURE, True, -1), *macro.body))
        self.unsure.add(name)
        self._assertions((name,))


def configured(path: str) -> frozenset[str] | None:
    """The macros that a template of a header defines or leaves to the build (`#undef NAME` of autoheader, `#cmakedefine NAME`),
    without words of C that any compiler of today has; None where it says anything else."""
    names = set[str]()
    try:
        lines = COMMENT.sub(" ", read_raw(path)).splitlines()
    except InputError:
        return None
    for line in filter(str.strip, lines):
        found = _LEFT_OPEN.fullmatch(line)
        if found is None:
            return None
        names.add(found[1] or "")
    return frozenset(names - _OF_C - {""})


def _pasted(macro: Macro) -> list[list[str]] | None:
    """The fixed parts of each word that a macro pastes together; None where one has none."""
    found, said = list[list[str]](), [token.text for token in macro.body]
    at = 0
    while at < len(said):
        end = at
        while end + 2 < len(said) and said[end + 1] == "##":
            end += 2
        if end > at:
            taken = {*(macro.params or ()), macro.rest}
            found.append([part for part in said[at : end + 1 : 2] if part.isidentifier() and part not in taken])
        at = end + 1
    return None if [] in found else found
