"""Random C expressions without undefined behaviour, and what a C compiler says of them.

A `Case` is an expression with scratch variables of its own; a `Batch` is many of them and values for the
variables they share. `Batch.kernel` is the text that both compilers read: it stores the value of every
expression, then that of every scratch variable after it. Defined by construction: no scratch variable is
written and used without a sequence point between; divisors are positive, odd or literals; shifts are
below the width; only small floats become integers. Signed overflow wraps (`-fwrapv`).
"""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from automata.arithmetic import Value
from automata.scalar import BOOL, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

Language = Literal["c", "c++"]

WORDS: dict[str, Scalar] = {
    "bool": BOOL, "char": I8, "signed char": I8, "unsigned char": U8, "short": I16, "unsigned short": U16, "int": I32,
    "unsigned int": U32, "long": I64, "unsigned long": U64, "long long": I64, "unsigned long long": U64,
    "float": F32, "double": F64,
}
INTEGER_WORDS = [word for word, kind in WORDS.items() if not kind.is_float]
REAL_WORDS = ["float", "double"]
SHORT = {word: "".join(part[0] for part in word.split()) for word in WORDS} | {"signed char": "g", "char": "c"}


@dataclass(frozen=True)
class Var:
    """A variable by its name and the words of its type."""

    name: str
    word: str

    @property
    def kind(self) -> Scalar:
        return WORDS[self.word]


PARAMS = [Var(f"{SHORT[word]}{number}", word) for word in WORDS for number in (0, 1)]
REAL_PARAMS = [var.name for var in PARAMS if var.kind.is_float]
PER_CASE = 4


@dataclass(frozen=True)
class Case:
    """An expression, whether its type is a floating one, and its scratch variables with their first values."""

    text: str
    real: bool
    scratch: tuple[tuple[Var, str], ...] = ()

    def body(self, number: int) -> str:
        declared = "".join(f" {var.word} {var.name} = {init};" for var, init in self.scratch)
        stores = [(self.real, f"(0, {self.text})"), *((var.kind.is_float, var.name) for var, _ in self.scratch)]
        stored = "".join(f" {'reals' if real else 'ints'}[{PER_CASE * number + at}] = {text};"
                         for at, (real, text) in enumerate(stores))
        return f"  {{{declared}{stored} }}\n"

    def question(self) -> str:
        """A block that prints the name of the expression's type."""
        declared = "".join(f" {var.word} {var.name} = {init};" for var, init in self.scratch)
        return f"  {{{declared} puts(NAME(({self.text}))); }}\n"


@dataclass(frozen=True)
class Said:
    """What the compiler's program says of a batch: types of the expressions, and values by cell."""

    types: list[Scalar]
    ints: dict[int, int]
    reals: dict[int, float]


class CompilerFailed(Exception):
    """gcc itself fails on a program (gcc 12 does on some commas of constants)."""


@dataclass(frozen=True)
class Batch:
    """Expressions, the values of the parameters, and what stands above the kernel."""

    cases: tuple[Case, ...]
    values: dict[str, Value]
    head: str = ""

    def kernel(self, language: Language) -> str:
        """The kernel, as CUDA for C++ and as OpenCL for C."""
        params = ", ".join(f"{var.word} {var.name}" for var in PARAMS)
        mark, space = ("__global__", "") if language == "c++" else ("__kernel", "__global ")
        body = "".join(case.body(number) for number, case in enumerate(self.cases))
        return f"{self.head}{mark} void k({params}, {space}long *ints, {space}double *reals) {{\n{body}}}\n"

    def program(self, language: Language) -> str:
        """A program of its own that prints types, then cells."""
        params = ", ".join(f"{var.word} {var.name}" for var in PARAMS)
        values = ", ".join(written(self.values[var.name], var.kind) for var in PARAMS)
        size = PER_CASE * len(self.cases)
        return (f"{PRELUDE[language]}{self.kernel(language)}"
                f"static void types({params}) {{\n{''.join(case.question() for case in self.cases)}}}\n"
                f"static long ints[{size}]; static double reals[{size}];\nint main(void) {{\n  types({values});\n"
                f"  k({values}, ints, reals);\n"
                f'  for (int at = 0; at < {size}; at++) printf("%ld %a\\n", ints[at], reals[at]);\n}}\n')

    def compiled(self, language: Language, folder: Path) -> Said:
        """Compile and run it."""
        source, binary = folder / ("k.c" if language == "c" else "k.cpp"), folder / "k.exe"
        source.write_text(self.program(language))
        tool = ["gcc", "-std=gnu2x"] if language == "c" else ["g++", "-std=gnu++17"]
        made = subprocess.run([*tool, "-O0", "-fwrapv", "-ffp-contract=off", "-w", "-o", binary, source],
                              capture_output=True, text=True, check=False)
        if "internal compiler error" in made.stderr:
            raise CompilerFailed(made.stderr)
        assert made.returncode == 0, made.stderr
        lines = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.splitlines()
        count = len(self.cases)
        cells = [line.split() for line in lines[count:]]
        return Said([WORDS[line] for line in lines[:count]], {at: int(cell[0]) for at, cell in enumerate(cells)},
                    {at: float.fromhex(cell[1]) for at, cell in enumerate(cells)})


def written(value: Value, kind: Scalar) -> str:
    """A value as a C expression of its type."""
    if kind.is_float:
        if math.isnan(value):
            return '__builtin_nan("")'
        return f"{'-' if value < 0 else ''}__builtin_inf()" if math.isinf(value) else float(value).hex()
    return f"{value}ull" if value >= 0 else f"-{-value - 1}ll - 1"


_MACROS = "#define __kernel static\n#define __global__ static\n#define __global\n#include <stdio.h>\n"
_NAMED = [word for word in WORDS if word != "bool"]
PRELUDE: dict[Language, str] = {
    "c": (f"{_MACROS}#include <stdbool.h>\n#define NAME(e) _Generic((e), bool: \"bool\", "
          + ", ".join(f'{word}: "{word}"' for word in _NAMED) + ")\n"),
    "c++": f"{_MACROS}" + "".join(f'static const char *NAME({word}) {{ return "{word}"; }}\n' for word in WORDS),
}


# -- literals -------------------------------------------------------------------------------------

_POWERS = [1 << bits for bits in (0, 1, 3, 7, 8, 15, 16, 31, 32, 53, 63, 64)]
_EDGES = sorted({0, 10, 100, *(power + by for power in _POWERS for by in (-1, 0, 1) if U64.holds(power + by))})
_SUFFIXES = ["", "u", "U", "l", "L", "ul", "Lu", "ll", "LL", "ull", "LLU"]


@st.composite
def integer_literals(draw: DrawFn) -> str:
    value = draw(st.sampled_from(_EDGES) | st.integers(0, 300))
    suffix = draw(st.sampled_from(_SUFFIXES))
    form = draw(st.sampled_from(["{}", "0x{:x}", "0X{:X}", "0{:o}", "0b{:b}"]))
    if form == "{}" and "u" not in suffix.lower():
        value = min(value, I64.high)
    return form.format(value) + suffix


CHARACTERS = ["'a'", "'0'", "' '", r"'\n'", r"'\''", r"'\\'", r"'\0'", r"'\7'", r"'\x41'", r"'\x80'", r"'\xff'",
              r"'\377'", r"'\t'"]
_REALS = ["0.0", "0.f", "1.5f", "2.", ".25", "1e3", "1E-3f", "0x1p-3", "0x1.8p1f", "3.4e38f", "16777217.0f", "0.1f", "0.1",
          "1e-45f", "4.9e-324", "09.5", "1e39f", "1e400", "1.00000005960464477539062501f", "9007199791611905.f", "0x1.fffffffp0F"]
REAL_LITERALS = st.sampled_from(_REALS) | st.builds(
    lambda value, suffix: repr(value) + suffix, st.floats(0, allow_infinity=False), st.sampled_from(["", "f", "F"]))


# -- expressions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scope:
    """What an expression may use: scratch variables to read and to write; `closed`: it is constant."""

    language: Language
    reads: tuple[Var, ...] = ()
    writes: tuple[Var, ...] = ()
    closed: bool = False

    def written(self, real: bool) -> list[Var]:
        return [var for var in self.writes if var.kind.is_float == real]

    @property
    def integer_words(self) -> list[str]:
        """Without char in C++: to it, char and signed char are two types; here they are one."""
        return INTEGER_WORDS if self.language == "c" else [word for word in INTEGER_WORDS if word != "char"]

    @property
    def integer_params(self) -> list[str]:
        return [var.name for var in PARAMS if var.word in self.integer_words]

    def value_for(self, var: Var) -> Scope:
        """Inside an assignment to a variable: in C it may be read, not written; C++17 computes the value first."""
        if self.language == "c++":
            return self
        return replace(self, writes=tuple(other for other in self.writes if other != var))

    def split(self, mask: int) -> tuple[Scope, Scope]:
        """For operands that are evaluated in any order: what one may write is nothing to the other."""
        left = tuple(var for at, var in enumerate(self.writes) if mask >> at & 1)
        right = tuple(var for var in self.writes if var not in left)
        return (replace(self, writes=left, reads=tuple(var for var in self.reads if var not in right)),
                replace(self, writes=right, reads=tuple(var for var in self.reads if var not in left)))


Form = Callable[[DrawFn, Scope, int], str]


def pick(draw: DrawFn, options: list[str]) -> str:
    return draw(st.sampled_from(options))


def integer(draw: DrawFn, scope: Scope, depth: int) -> str:
    """An expression of integer type."""
    form = draw(st.sampled_from(INTEGER_FORMS)) if depth > 0 else integer_leaf
    return form(draw, scope, depth - 1)


def real(draw: DrawFn, scope: Scope, depth: int) -> str:
    """An expression of floating type."""
    form = draw(st.sampled_from(REAL_FORMS)) if depth > 0 else real_leaf
    return form(draw, scope, depth - 1)


def either(draw: DrawFn, scope: Scope, depth: int) -> str:
    return (real if draw(st.integers(0, 3)) == 0 else integer)(draw, scope, depth)


def integer_leaf(draw: DrawFn, scope: Scope, depth: int) -> str:
    choice = draw(st.integers(0, 7))
    if choice == 0:
        return ("" if scope.language == "c" else "+") + pick(draw, CHARACTERS)
    if choice <= 2 or scope.closed:
        return draw(integer_literals())
    names = [var.name for var in scope.reads if not var.kind.is_float]
    return pick(draw, names if names and choice == 3 else scope.integer_params)


def real_leaf(draw: DrawFn, scope: Scope, depth: int) -> str:
    choice = draw(st.integers(0, 4))
    if choice == 0 or scope.closed:
        return draw(REAL_LITERALS)
    names = [var.name for var in scope.reads if var.kind.is_float]
    return pick(draw, names if names and choice == 1 else REAL_PARAMS)


def pair(draw: DrawFn, scope: Scope, depth: int, ops: list[str], left: Form, right: Form) -> str:
    """A binary operator. Its operands are evaluated in any order, but those of a shift from left to right in C++17."""
    ordered = scope.language == "c++" and "<<" in ops
    first, second = (scope, scope) if ordered else scope.split(draw(st.integers(0, 7)))
    return f"({left(draw, first, depth)} {pick(draw, ops)} {right(draw, second, depth)})"


def arithmetic(draw: DrawFn, scope: Scope, depth: int) -> str:
    return pair(draw, scope, depth, ["+", "-", "*", "&", "|", "^"], integer, integer)


def comparison(draw: DrawFn, scope: Scope, depth: int) -> str:
    return pair(draw, scope, depth, ["<", "<=", ">", ">=", "==", "!="], either, either)


def logical(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({either(draw, scope, depth)} {pick(draw, ['&&', '||'])} {either(draw, scope, depth)})"


def unary(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({pick(draw, ['- ', '+ ', '~'])}{integer(draw, scope, depth)})"


def negation(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"(!{either(draw, scope, depth)})"


def divisor(draw: DrawFn, scope: Scope, depth: int) -> str:
    """A divisor that is neither 0 nor -1."""
    if draw(st.booleans()):
        return pick(draw, ["7", "3u", "10L", "-3", "-5LL", "2ull", "'\\n'"])
    return f"(({integer(draw, scope, depth)} & 7) + 1)"


def odd(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({integer(draw, scope, depth)} | 1)"


def halved(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({integer(draw, scope, depth)} >> 1)"


def division(draw: DrawFn, scope: Scope, depth: int) -> str:
    sides = (integer, divisor) if draw(st.booleans()) else (halved, odd)
    return pair(draw, scope, depth, ["/", "%"], *sides)


def count(draw: DrawFn, scope: Scope, depth: int) -> str:
    return pick(draw, ["0", "3", "31", "7ul"]) if draw(st.booleans()) else f"({integer(draw, scope, depth)} & 31)"


def shift(draw: DrawFn, scope: Scope, depth: int) -> str:
    return pair(draw, scope, depth, ["<<", ">>"], integer, count)


def wide(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({pick(draw, ['long', 'unsigned long', 'long long'])}){integer(draw, scope, depth)}"


def wide_count(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({integer(draw, scope, depth)} & 63)"


def wide_shift(draw: DrawFn, scope: Scope, depth: int) -> str:
    return pair(draw, scope, depth, ["<<", ">>"], wide, wide_count)


def cast(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"(({pick(draw, scope.integer_words)}){integer(draw, scope, depth)})"


def truth(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"((bool){either(draw, scope, depth)})"


def conditional(draw: DrawFn, scope: Scope, depth: int) -> str:
    """C promotes arms of one narrow type, C++ does not: in C one of them is promoted here."""
    plus = "+" if scope.language == "c" else ""
    return f"({either(draw, scope, depth)} ? {plus}{integer(draw, scope, depth)} : {integer(draw, scope, depth)})"


def comma(draw: DrawFn, scope: Scope, depth: int) -> str:
    """A comma; not of constants alone, on which gcc 12 fails."""
    if scope.closed:
        return integer_leaf(draw, scope, depth)
    return f"({either(draw, scope, depth)}, {integer(draw, scope, depth)})"


def size(draw: DrawFn, scope: Scope, depth: int) -> str:
    if draw(st.booleans()):
        return f"sizeof({pick(draw, list(WORDS))})"
    plus = "+" if scope.language == "c" else ""
    return f"sizeof({plus}{either(draw, scope, depth)})"


def assignment(draw: DrawFn, scope: Scope, depth: int) -> str:
    targets = scope.written(real=False)
    if not targets:
        return integer_leaf(draw, scope, depth)
    var = draw(st.sampled_from(targets))
    inner, op = scope.value_for(var), pick(draw, ["=", "+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>="])
    if op in ("/=", "%="):
        return f"({var.name} {op} {divisor(draw, inner, depth)})"
    if op in ("<<=", ">>="):
        return f"({var.name} {op} {count(draw, inner, depth)})"
    return f"({var.name} {op} {integer(draw, inner, depth)})"


def step(draw: DrawFn, scope: Scope, depth: int) -> str:
    """++ and --, which C++ does not have for bool."""
    targets = [var for var in scope.written(real=False) if scope.language == "c" or var.kind != BOOL]
    if not targets:
        return integer_leaf(draw, scope, depth)
    return f"({pick(draw, ['++{}', '--{}', '{}++', '{}--'])})".format(draw(st.sampled_from(targets)).name)


def scaled(draw: DrawFn, scope: Scope, depth: int) -> str:
    """An integer variable updated by a float, small enough for every type."""
    targets = scope.written(real=False)
    if not targets:
        return integer_leaf(draw, scope, depth)
    var = draw(st.sampled_from(targets))
    start = integer(draw, scope.value_for(var), depth)
    return f"({var.name} = {start} & 15, {var.name} {pick(draw, ['+= 1.75', '*= 1.5f', '/= 0.3f', '-= 0.5f', '*= .1', '= .9f'])})"


def truncated(draw: DrawFn, scope: Scope, depth: int) -> str:
    """A float turned into an integer where it is small."""
    targets = scope.written(real=True)
    if not targets:
        return integer_leaf(draw, scope, depth)
    var = draw(st.sampled_from(targets))
    value, word = either(draw, scope.value_for(var), depth), pick(draw, scope.integer_words)
    return f"({var.name} = {value}, {var.name} > -0.75f && {var.name} < 127 ? ({word}){var.name} : {draw(integer_literals())})"


def real_pair(draw: DrawFn, scope: Scope, depth: int) -> str:
    sides = [real, either]
    return pair(draw, scope, depth, ["+", "-", "*", "/"], *(sides if draw(st.booleans()) else sides[::-1]))


def real_unary(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"({pick(draw, ['- ', '+ '])}{real(draw, scope, depth)})"


def real_cast(draw: DrawFn, scope: Scope, depth: int) -> str:
    return f"(({pick(draw, REAL_WORDS)}){either(draw, scope, depth)})"


def real_conditional(draw: DrawFn, scope: Scope, depth: int) -> str:
    arms = [real(draw, scope, depth), either(draw, scope, depth)]
    test = either(draw, scope, depth)
    one, two = arms if draw(st.booleans()) else arms[::-1]
    return f"({test} ? {one} : {two})"


def real_comma(draw: DrawFn, scope: Scope, depth: int) -> str:
    if scope.closed:
        return real_leaf(draw, scope, depth)
    return f"({either(draw, scope, depth)}, {real(draw, scope, depth)})"


def real_assignment(draw: DrawFn, scope: Scope, depth: int) -> str:
    targets = scope.written(real=True)
    if not targets:
        return real_leaf(draw, scope, depth)
    var = draw(st.sampled_from(targets))
    if draw(st.integers(0, 3)) == 0:
        return f"({pick(draw, ['++{}', '--{}', '{}++', '{}--'])})".format(var.name)
    return f"({var.name} {pick(draw, ['=', '+=', '-=', '*=', '/='])} {either(draw, scope.value_for(var), depth)})"


INTEGER_FORMS: list[Form] = [
    integer_leaf, arithmetic, arithmetic, comparison, logical, unary, negation, division, shift, wide_shift, cast, cast, truth,
    conditional, comma, size, assignment, assignment, step, scaled, truncated,
]
REAL_FORMS: list[Form] = [real_leaf, real_pair, real_pair, real_unary, real_cast, real_conditional, real_comma, real_assignment]


@st.composite
def cases(draw: DrawFn, language: Language, depth: int = 3) -> Case:
    is_real = draw(st.integers(0, 3)) == 0
    form = real if is_real else integer
    if draw(st.integers(0, 5)) == 0:
        return Case(form(draw, Scope(language, closed=True), depth), is_real)
    words = Scope(language).integer_words
    scratch = (Var("v0", pick(draw, words)), Var("v1", pick(draw, words)), Var("v2", pick(draw, REAL_WORDS)))
    text = form(draw, Scope(language, scratch, scratch), depth)
    used = tuple((var, f"{SHORT[var.word]}0") for var in scratch if var.name in text)
    return Case(text, is_real, used)


def values_of(kind: Scalar) -> SearchStrategy[Value]:
    if kind.is_float:
        return st.sampled_from([0.0, -0.0, 1.0, -2.5, math.inf, math.nan]) | st.floats(width=32) | st.floats(-130, 130, width=32)
    return st.sampled_from([kind.low, kind.high, kind.wrap(-1), 0, 1]) | st.integers(kind.low, kind.high)


def batches(language: Language, size: int) -> SearchStrategy[Batch]:
    values: SearchStrategy[dict[str, Value]] = st.fixed_dictionaries({var.name: values_of(var.kind) for var in PARAMS})
    return st.builds(Batch, st.lists(cases(language), min_size=size, max_size=size).map(tuple), values)
