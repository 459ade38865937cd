"""The C front end's types and values against a C compiler: OpenCL kernels against C, CUDA ones against C++."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from c_expressions import CHARACTERS, PARAMS, PER_CASE, SHORT, WORDS, Batch, Case, CompilerFailed, Language, Said, Var, batches
from hypothesis import given, reject, settings

from automata.arithmetic import Value
from automata.lang import tree
from automata.lang.core import Kernel
from automata.lang.read import find_kernels
from automata.lang.tree_typing import COMPARISONS, constant_of
from automata.lang.types import Type
from automata.machine.running.run import Program
from automata.machine.state.outcome import Setting, same_value
from automata.rewriting.lower import lower
from automata.scalar import BOOL, I32, I64, Scalar
from automata.thread.build import build

pytestmark = pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("g++")), reason="no gcc and g++ to compare with")
BATCHES = settings(max_examples=7, derandomize=True)


@dataclass(frozen=True)
class Ours:
    """The typed expressions of a batch and its cells as the machine left them, computed at run time and folded."""

    exprs: list[tree.Expr]
    cells: list[dict[str, dict[int, Value]]]


def ours(batch: Batch, language: Language, folder: Path) -> Ours:
    path = folder / ("k.cu" if language == "c++" else "k.cl")
    path.write_text(batch.kernel(language))
    found = find_kernels(str(path), frontend="c")[0]
    kernel, values = found.read(), batch.values
    known = {var.name: int(values[var.name]) for var in PARAMS if not var.kind.is_float}
    return Ours([typed(stmt) for stmt in found.program().kernel.body or ()],
                [computed(lower(kernel, numbers), values) for numbers in ({}, known)])


def typed(stmt: tree.Stmt) -> tree.Expr:
    """The expression of a case: what stands behind the comma in the first store of its block."""
    assert isinstance(stmt, tree.Group)
    store = next(inner.expr for inner in stmt.body if isinstance(inner, tree.Evaluate))
    assert isinstance(store, tree.Assign)
    value = store.value.arg if isinstance(store.value, tree.Convert) else store.value
    assert isinstance(value, tree.Comma)
    return value.right


def computed(kernel: Kernel, values: dict[str, Value]) -> dict[str, dict[int, Value]]:
    outcome = Program(build(kernel)).run(Setting((1, 1, 1), (1, 1, 1), values))
    assert not outcome.undefined
    return {name: outcome.contents(name) for name in ("ints", "reals")}


def is_truth(node: tree.Expr) -> bool:
    """A comparison or logical operation: an int in C, of type bool in the tree."""
    match node:
        case tree.Comma(right=right):
            return is_truth(right)
        case tree.Binary(op=op):
            return op in COMPARISONS or op in ("&&", "||")
        case tree.Unary(op="!"):
            return True
        case _:
            return False


def same_type(node: tree.Expr, wanted: Type, language: Language) -> bool:
    return node.type == wanted or (language == "c" and wanted == I32 and node.type == BOOL and is_truth(node))


def differences(batch: Batch, language: Language, said: Said, found: Ours) -> list[str]:
    """What the two say differently, a line each."""
    lines = []
    for number, (case, node, kind) in enumerate(zip(batch.cases, found.exprs, said.types, strict=True)):
        where = f"{case.text} with {', '.join(f'{var.word} {var.name} = {init}' for var, init in case.scratch)}"
        if not same_type(node, kind, language):
            lines.append(f"{where}: type {node.type}, not {kind}")
        first = PER_CASE * number
        constant = constant_of(node)
        if constant is not None and not same_value(to_long(constant, kind), cell(case, said, first)):
            lines.append(f"{where}: constant {constant}, not {cell(case, said, first)}")
        for way, cells in zip(("run", "folded"), found.cells, strict=True):
            for at in range(first, first + 1 + len(case.scratch)):
                for name, wanted in (("ints", said.ints), ("reals", said.reals)):
                    if at in cells[name] and not same_value(cells[name][at], wanted[at]):
                        lines.append(f"{where}: {way}, {name}[+{at - first}] is {cells[name][at]}, not {wanted[at]}")
    return lines


def cell(case: Case, said: Said, at: int) -> Value:
    return said.reals[at] if case.real else said.ints[at]


def to_long(value: Value, kind: Scalar) -> Value:
    return float(value) if kind.is_float else I64.wrap(int(value))


def compared(batch: Batch, language: Language) -> list[str]:
    """Everything on which the two do not agree."""
    with tempfile.TemporaryDirectory() as folder:
        said = batch.compiled(language, Path(folder))
        lines = differences(batch, language, said, ours(batch, language, Path(folder)))
    used = {var.name: batch.values[var.name] for var in PARAMS if any(var.name in line for line in lines)}
    return [*lines, f"where {used}"] if lines else []


def odd_of(batch: Batch, language: Language) -> list[str]:
    """The same, of expressions that a compiler may refuse."""
    try:
        return compared(batch, language)
    except CompilerFailed:
        reject()


@BATCHES
@given(batches("c", 40))
def test_expressions_are_those_of_c(batch: Batch) -> None:
    assert not odd_of(batch, "c")


@BATCHES
@given(batches("c++", 40))
def test_expressions_are_those_of_cxx(batch: Batch) -> None:
    assert not odd_of(batch, "c++")


# -- tables ---------------------------------------------------------------------------------------

SMALL: dict[str, Value] = {var.name: 1 if var.kind == BOOL else 5.5 if var.kind.is_float else 5 for var in PARAMS}
LARGE: dict[str, Value] = {var.name: {"float": -2.75, "double": 0.1}.get(var.word, var.kind.high - int(var.name[-1]))
                           for var in PARAMS}
BOTH = pytest.mark.parametrize("language", ["c", "c++"])


def odd(language: Language, texts: list[tuple[str, bool]], values: dict[str, Value] = SMALL, head: str = "") -> list[str]:
    """The expressions on which we and the compiler do not agree, a line each."""
    return compared(Batch(tuple(Case(text, real) for text, real in texts), values, head), language)


def words_of(language: Language) -> list[str]:
    """In C++, char and signed char are two types; here they are one."""
    return [word for word in WORDS if language == "c" or word != "char"]


def word_pairs(language: Language) -> list[tuple[str, str]]:
    return [(one, two) for one in words_of(language) for two in words_of(language)]


def has_real(*words: str) -> bool:
    return any(WORDS[word].is_float for word in words)


@BOTH
@pytest.mark.parametrize("values", [SMALL, LARGE], ids=["small", "large"])
def test_sums_of_all_pairs_of_types(language: Language, values: dict[str, Value]) -> None:
    sums = [(f"{SHORT[one]}0 + {SHORT[two]}1", has_real(one, two)) for one, two in word_pairs(language)]
    assert not odd(language, sums, values)


@BOTH
@pytest.mark.parametrize("op", ["<", "<<", "&"])
def test_other_operators_on_all_pairs_of_types(language: Language, op: str) -> None:
    pairs = [(one, two) for one, two in word_pairs(language) if op == "<" or not has_real(one, two)]
    minus = "- " if op != "<<" else ""
    assert not odd(language, [(f"{minus}{SHORT[one]}0 {op} {SHORT[two]}1", False) for one, two in pairs])


@BOTH
def test_choices_between_all_pairs_of_types(language: Language) -> None:
    pairs = [(one, two) for one, two in word_pairs(language) if language == "c++" or WORDS[one] != WORDS[two]]
    assert not odd(language, [(f"{'!' * (at % 2)}i0 ? {SHORT[one]}0 : {SHORT[two]}1", has_real(one, two))
                     for at, (one, two) in enumerate(pairs)])


@pytest.mark.sliced(3)
@BOTH
@pytest.mark.parametrize("first", ["=", "-="])
def test_assignments_of_all_types_to_all_types(language: Language, first: str) -> None:
    """One operator for all pairs, and the others in turn."""
    made = [Case(f"(v {op} {SHORT[two]}1)", has_real(one), ((Var("v", one), f"{SHORT[one]}0"),))
            for at, (one, two) in enumerate(word_pairs(language)) for op in (first, ["+=", "*=", "/="][at % 3])]
    lines = compared(Batch(tuple(made), SMALL), language)
    assert not lines, "\n".join(lines)


@BOTH
def test_unary_operators_on_all_types(language: Language) -> None:
    names = [(word, f"{SHORT[word]}{number}") for word in words_of(language) for number in (0, 1)]
    texts = [(f"{op} {name}", has_real(word) and op != "!") for word, name in names for op in ("-", "+", "!")]
    texts += [(f"~{name}", False) for word, name in names if not has_real(word)]
    texts += [(f"({kind}){name}", has_real(kind)) for kind in words_of(language) for word, name in names]
    assert not odd(language, texts)
    assert not odd(language, [(text, real) for text, real in texts if "(" not in text], LARGE)


@BOTH
def test_types_of_integer_constants(language: Language) -> None:
    values = [0, 1, *(I64.wrap(1 << bits) % (1 << 64) - by for bits in (31, 32, 63) for by in (1, 0)), (1 << 64) - 1]
    texts = [f"{form.format(value)}{suffix}" for value in values for form in ("{}", "0x{:X}", "0{:o}", "0b{:b}")
             for suffix in ("", "u", "L", "uL", "LL", "LLU") if form != "{}" or "u" in suffix.lower() or value < 1 << 63]
    assert not odd(language, [(text, False) for text in texts])
    assert not odd(language, [(f"- {text}", False) for text in texts if len(text) < 16])


@BOTH
def test_floating_constants(language: Language) -> None:
    texts = ["1.f", "1.", ".5", "1.e2", "1.e-2f", "0x1.8p1", "0x.8p1f", "0x1p3F", "0xep1", "1e5", "1e+5f", "08.5e1", "0e0",
             "1e-46f", "0x1.000001p0f", "0x1.000003p0f", "1e39f", "1e400", "16777217.f", "1.00000005960464477539062501f",
             "5e-324", "0.1f", "0.1", "(float)9007199791611905", "(float)(l0 + 9007199791611900)", "ul0 * 1801439958322381 + 0.f"]
    assert not odd(language, [(text, True) for text in texts])
    assert not odd(language, [(text, False) for text in ("0x1e5", "0x10f", "0xfULL", "010", "00")])


@BOTH
def test_precedence_and_grouping(language: Language) -> None:
    texts = ["i0 + i1 * 3 - i0 << 2 < 5 == 1 & 3 ^ 1 | 2 && 4 || 0 ? 1 : 2", "- -i0", "-i0+ +i1", "!i0 == i1", "~i0 & i1 == 3",
             "i0 - i1 - 3", "24 / 3 / 2", "i0 ? 1 : i1 ? 2 : 3", "(unsigned char)uc0 << 7", "sizeof(char) * 3",
             "sizeof (i0) + 1", "sizeof +i0 + 1", "(i0) - 1", "(s0) + 1", "i0 & 1 << 2", "-1 < 0u", "-1L < 0u",
             "sizeof(int) - 5", "-1 / 2u", "-7 / 2", "-7 % 3", "7 % -3", "-7 >> 1", "1 << 31", "1 << 3L", "(i0 < i1) << 31",
             "-(i0 < i1)", "~(i0 < i1)", "2147483647 + 1", "-(-2147483647 - 1)", "(int)4294967295u", "(int)-3.99f",
             "(unsigned char)254.9f", "(bool)1e-320", "(bool)0.5", "~true", "true + true", "!0.5", "(char)300 + 0",
             "3000000000 > 2", "1 ? -1 : 0u", "(1 ? -1 : 0u) > 0", "sizeof(i0++) + i0"]
    assert not odd(language, [(text, False) for text in texts])


@BOTH
def test_characters(language: Language) -> None:
    """C++ has them as chars, which one does not see behind a +."""
    assert not odd(language, [(f"+ {text}", False) for text in CHARACTERS])


# -- what is wrong ----------------------------------------------------------------------------------


def wrong(language: Language, text: str, reason: str, head: str = "") -> object:
    return pytest.param(language, text, head, id=f"{language} {text}", marks=pytest.mark.xfail(strict=True, reason=reason))


def mended(language: Language, text: str, head: str = "") -> object:
    return pytest.param(language, text, head, id=f"{language} {text}")


@pytest.mark.parametrize(("language", "text", "head"), [
    mended("c++", "'\"' ? 1 : 2"), mended("c++", "+ '\"'"), mended("c++", "L'\\x80' + 0"), mended("c++", "u'\\xff' + 0"),
    mended("c++", "+ U'a'"), mended("c++", "+ '\\x1'"), mended("c++", "+ '\\?'"), mended("c", "sizeof(i0 < i1)"),
    mended("c", "sizeof(!i0)"), mended("c++", "sizeof('a')"), mended("c", "LARGE + 0", "enum { LARGE = 0x80000000u };\n"),
    wrong("c++", "+ '\\u00e9'", "a character of several bytes is refused"),
    wrong("c", "sizeof(i0 ? s0 : s1)", "in C (OpenCL) ?: on narrow types is an int; only its size shows"),
    wrong("c", 'sizeof("abc")', "the size of a string is refused"),
    wrong("c", "LONG / 2", "in C (OpenCL) an enumeration beyond int is refused or of its own type",
          "enum { LONG = 0x100000000 };\n"),
])
def test_constants_and_sizes_are_as_in_c(language: Language, text: str, head: str) -> None:
    assert not odd(language, [(text, False)], head=head)
