"""The preprocessor: what the C standard says of macros, places that stay, and hostile input that ends with a message."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pcpp
import pytest
from conftest import ROOT

from automata.lang import macros
from automata.lang.given import PREDEFINED
from automata.lang.preprocess import preprocess
from automata.lang.ptx import without_ptx
from automata.place import InputError

Write = Callable[..., Path]
KERNELS = sorted((ROOT / "tests/kernels").glob("*.c[ul]"))


def expanded(path: Path, **given: Any) -> str:
    return re.sub(r"\s+", " ", preprocess(str(path), "cuda", **given).text).strip()


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        preprocess(str(path), "cuda")
    return caught.value


EXPANSIONS = [
    ("dollars in names", "#define $CHECK(x) if (x) stop(#x)\n#define $A 3\n#define A 4\n$CHECK($A); A$A; A; $B",
     "if (3) stop(\"$A\"); A$A; 4; $B"),
    # The examples of C11 6.10.3.5.
    ("rescanning", "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n"
     "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)",
     "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))"),
    ("empty arguments", "#define t(x,y,z) x ## y ## z\n"
     "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,) };",
     "int j[] = { 123, 45, 67, 89, 10, 11, };"),
    ("strings", '#define xs(s) s(s)\n#define s(s) # s\ns(strncmp("abc\\0d", \'\\4\') == 0) xs(v ## 2)',
     '"strncmp(\\"abc\\\\0d\\", \'\\\\4\') == 0" v ## 2(v ## 2)'),
    ("pasted sign", "#define hash # ## #\n#define mk(a) # a\n#define in(a) mk(a)\n"
     "#define join(c, d) in(c hash d)\njoin(x, y)", '"x ## y"'),
    ("variable arguments", "#define p(f, ...) f(__VA_ARGS__)\n#define q(f, r...) f(a, ## r)\n"
     "#define o(...) f(a __VA_OPT__(,) __VA_ARGS__)\n"
     "p(g) p(g, 1, 2) q(g) q(g, 1, 2) o() o(1)", "g() g(1, 2) g(a) g(a, 1, 2) f(a) f(a, 1)"),
    ("signs stay apart", "#define V -1\n#define P(a) a\na-V; -V; P(+)+ P(1)2", "a- -1; - -1; + + 1 2"),
    ("launch in a macro", "#define LAUNCH(k, ...) k<<<__VA_ARGS__>>>(a)\nLAUNCH(scale, dim3(1, 2), 64);",
     "scale<<<dim3(1, 2), 64>>>(a);"),
    ("directive in a call", "#define ID(x) [x]\nID(a\n#ifdef NO\n b\n#else\n c\n#endif\n)", "[a c]"),
    ("literals", "int a = 1'000'000; auto s = R\"(\" // )\"; 'a' \"b // c\" /* d */ e // f",
     "int a = 1000000 ; auto s = \"\\?\" ; 'a' \"b // c\" e"),
    ("dead text", "#if 0\n don't /* x */ \"care\n#error no\n#elif 1\nb\n#elif (garbage\n#endif", "b"),
    ("pragma", "_Pragma(\"unroll\") for\n#pragma unroll 4 // four\n;", "for #pragma unroll 4 ;"),
    ("marks of lines", '# 1 "a.cl"\n# 7 "b.h" 1 3\nint a;\n# 2 "a.cl" 2\nint b;', "int a; int b;"),
    ("numbers of lines", '#line 500 "other.h"\n__LINE__ __COUNTER__ __COUNTER__ __DATE__', '2 0 1 "Jan 1 1970"'),
    ("include asked for", '#if __has_include("kernel.cu") && !__has_include(<no.h>) && defined __has_include\nyes\n#endif',
     "yes"),
]


@pytest.mark.parametrize(("text", "result"), [case[1:] for case in EXPANSIONS], ids=[case[0] for case in EXPANSIONS])
def test_expansion(text: str, result: str, kernel_file: Write) -> None:
    assert expanded(kernel_file(text)) == result


@pytest.mark.parametrize(("condition", "holds"), [
    ("-7 / 2 == -3 && -7 % 2 == -1", True), ("2 || 1/0", True), ("0 && 1/0", False), ("-1 > 0u", True), ("'\\n' == 10", True),
    ("(1 ? 2 : 1/0) == 2", True), ("0x10 == 020 + 0b0", True), ("UNKNOWN == 0 && CALL(1, (2)) == 0", True),
    ("not defined(__CUDACC__)", False),
    ("1 << 64", False), ("1<<1000000000", False), ("9223372036854775807 + 1 < 0", True), ("__CUDA_ARCH__ >= 700 && true", True),
])
def test_condition(condition: str, holds: bool, kernel_file: Write) -> None:
    assert expanded(kernel_file(f"#if {condition}\nyes\n#else\nno\n#endif")) == ("yes" if holds else "no")


@pytest.mark.parametrize(("condition", "doubted"), [
    ("TORCH_VERSION_MAJOR < 2", True),
    ("defined(__HIP_PLATFORM_AMD__) && TORCH_VERSION_MAJOR < 2", False),
    ("TORCH_VERSION_MAJOR < 2 && defined __HIP_PLATFORM_AMD__", False),
    ("!defined(__HIP_PLATFORM_AMD__) || TORCH_VERSION_MAJOR < 2", False),
    ("!defined(__HIP_PLATFORM_AMD__) && TORCH_VERSION_MAJOR < 2", True),
    ("defined(__HIP_PLATFORM_AMD__) || TORCH_VERSION_MAJOR < 2", True),
    ("defined(__HIP_PLATFORM_AMD__) && TORCH_VERSION_MAJOR < 2 || _WIN32", True),
    ("OWN == 3 && TORCH_VERSION_MAJOR < 2", False), ("OWN == 2 && TORCH_VERSION_MAJOR < 2", True),
    ("OWN == 3 && TORCH_VERSION_MAJOR < 2 ? 1 : 0", True),
    ("SUM == 3 && TORCH_VERSION_MAJOR < 2", True), ("SUM == 3 && OWN == 3 && TORCH_VERSION_MAJOR < 2", True),
    ("IN(1) == 3 && OWN == 3 && TORCH_VERSION_MAJOR < 2", False), ("IN(TORCH_VERSION_MAJOR)", True), ("ASKS(2)", True),
    ("ANOTHER", True), ("defined SUM and defined OTHER or TORCH_VERSION_MAJOR < 2", True),
    ("__has_include(<torch.h>) && TORCH_VERSION_MAJOR < 2", None),
])
def test_what_decides_alone_is_all_that_is_asked(condition: str, doubted: bool | None, kernel_file: Write) -> None:
    """Of host code, where others may define what the condition asks about; None: which text is read is in doubt."""
    path = kernel_file(f"#define OWN 2\n#define SUM 1 || 1\n#define IN(x) (x || 1)\n#define ASKS(x) (TORCH_VERSION_MAJOR < x)\n"
                       f"#define ANOTHER LOG_LEVEL\n#if {condition}\nint a;\n#endif\n")
    text = preprocess(str(path), "cuda", side="host")
    assert (bool(text.doubts) if not text.is_lost else None) is doubted


def test_defines_from_outside(kernel_file: Write) -> None:
    assert expanded(kernel_file("A B"), defines={"A": "x + 1", "B": ""}) == "x + 1 1"


def test_text_keeps_lines_and_tells_places(kernel_file: Write) -> None:
    path = kernel_file("#define N (4 + \\\n 4)\n/* two\n lines */ int a[N]; // tail\n"
                       "  F(b,\n   c)\n#define F(x, y) x y\n F(p, q);\n")
    text = preprocess(str(path), "cuda")
    assert [line.rstrip() for line in text.text.split("\n")] == [
        "", "", "", "          int a[(4 + 4)];", "  F(b,", "   c)", "", " p q;", ""]
    where = {word: (place.line, place.column) for word in ("int", "4", "]", "c", "p", "q", ";\n")
             for place in [text.place(text.text.index(word))]}
    assert where == {"int": (4, 11), "4": (4, 17), "]": (4, 18), "c": (6, 4), "p": (8, 4), "q": (8, 7), ";\n": (8, 9)}


def test_includes(kernel_file: Write, tmp_path: Path) -> None:
    kernel_file("#pragma once\nint once;\n", "once.h")
    kernel_file("#ifndef G\n#define G\nint guarded;\n#endif\n", "guarded.h")
    kernel_file("\ufeffint twice;\n", "twice.h")
    (tmp_path / "more").mkdir()
    kernel_file('#include_next "twice.h"\nint more;\n', "more/twice.h")
    names = ["once.h", "once.h", "guarded.h", "guarded.h", "twice.h"]
    path = kernel_file("".join(f'#include "{name}"\n' for name in names) +
                       "#define H <twice.h>\n#include H\n#include <none.h>\nend")
    text = preprocess(str(path), "cuda", includes=(str(tmp_path / "more"), str(tmp_path)))
    assert text.text.split() == ["int", "once;", "int", "guarded;", "int", "twice;", "int", "twice;", "int", "more;", "end"]
    assert text.missing == ("none.h",)
    assert text.place(text.text.index("guarded")).file == str(tmp_path / "guarded.h")


REFUSED = [
    ("nested macros", "\n".join(["#define A0 x x"] + [f"#define A{i} A{i - 1} A{i - 1}" for i in range(1, 40)]) + "\n A39",
     "41:2", "macros expand to more than 1000000 tokens"),
    ("nested calls", "#define D(x) x x\n" + "D(" * 40 + "y" + ")" * 40, "2:", "macros expand to more than 1000000 tokens"),
    ("growing strings", "#define S(x) #x\n#define X(x) S(x)\n" + "X(" * 60 + '"a"' + ")" * 60, "3:", "macros expand to more"),
    ("growing names", "#define P(a) a##a\n#define Q(a) P(a)\n" + "Q(" * 60 + "a" + ")" * 60, "3:", "macros expand to more than"),
    ("wide call", "#define W(x) " + "x " * 9999 + "\nW(" + "y " * 9999 + ")", "2:1", "macros expand to more than"),
    ("long chain", "\n".join(f"#define C{i} C{i + 1}" for i in range(5000)) + "\nC0", "5001:1", "macros nest more than 200 deep"),
    ("deep calls", "#define D(x) x\n" + "D(" * 300 + "y" + ")" * 300, "2:", "macro calls nest more than 80 deep"),
    ("includes itself", '#include "kernel.cu"', "1:1", "includes nest more than 50 deep (does the file include itself?)"),
    ("open comment", "int a;\n  /* abc", "2:3", "this comment is never closed"),
    ("open comment in dead text", "#if 0\n /*/", "2:2", "this comment is never closed"),
    ("open string", 'char *s = "abc\n;', "1:11", 'this " is never closed'),
    ("open raw string", 'auto s = R"x( )" ', "1:10", "this raw string is never closed"),
    ("open condition", "int a;\n#ifdef X\n#else\n", "2:1", "this #if is never closed"),
    ("open call", "#define f(x) x\n f(1, (2)", "2:2", "the call of macro f is never closed"),
    ("wrong number", "#define f(x, y) x\n f(1)", "2:2", "macro f takes 2 arguments, here are 1"),
    ("division", "#if 1/0\n#endif", "1:1", "#if: division by zero"),
    ("brackets", "#if " + "(" * 9999 + "1" + ")" * 9999 + "\n#endif", "1:1", "#if: the expression nests more than 100 deep"),
    ("conditional chain", "#if " + "1 ? 1 : " * 9999 + "1\n#endif", "1:1", "#if: the expression nests more than 100 deep"),
    ("number", "#if " + "9" * 99999 + "\n#endif", "1:1", "is too large"),
    ("no condition", "#if\n#endif", "1:1", "#if: the expression is empty"),
    ("no name", "\n#ifdef\n#endif", "2:1", "#ifdef: a name is missing"),
    ("half a condition", "#if 1 +\n#endif", "1:1", "#if: 'an operand' is missing at the end"),
    ("not a name", "#define 3 4", "1:1", "#define '3': not a macro name"),
    ("same parameter", "#define f(a, a) a", "1:1", "the list of parameters is ambiguous"),
    ("no file", "#include <abc", "1:1", "#include needs a file name"),
    ("second else", "#if 1\n#else\n#else\n#endif", "3:1", "#else after #else"),
    ("stray end", "\n#endif", "2:1", "#endif without #if"),
    ("a number alone", "# 1", "1:1", "#1 is not a directive"),
    ("a number before a word", "# 1 a", "1:1", "#1 is not a directive"),
    ("misspelt", "#inlcude <a.h>", "1:1", "#inlcude is not a directive"),
    ("error", "#if 1\n  #error no, never\n#endif", "2:3", "#error no, never"),
]


@pytest.mark.parametrize(("text", "place", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused_with_a_place(text: str, place: str, message: str, kernel_file: Write) -> None:
    path = kernel_file(text)
    error = refusal(path)
    assert str(error).startswith(f"{path}:{place}")
    assert message in error.message and len(error.message) < 200


@pytest.mark.parametrize("text", [
    "#if 1\n" * 9999 + "#endif\n" * 9999, "#if 0\n" * 9999 + "#endif\n" * 9999, "a" * 999_999, "(+" * 99_999, "/**/" * 99_999,
    "#if 0\n" + "\\'" * 199_999 + "\n#endif", "#define f(x) x\n" + "f " * 99_999, "#define N \\\n" * 9_999,
    "#if " + "1 + " * 9999 + "1\n#endif",
    "#define V(...) " + "__VA_OPT__(" * 9999 + ")" * 9999 + "\nV(1)", "\f\v#\n" * 9999,
], ids=range(11))
def test_odd_but_valid(text: str, kernel_file: Write) -> None:
    assert preprocess(str(kernel_file(text)), "cuda").path


def test_the_budget_is_for_the_whole_file(kernel_file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macros, "MAX_EXPANSION", 100)
    text = "#define N 1\n" + "N\n" * 60
    assert refusal(kernel_file(text)).place.line == 52


def test_include_trees_end(kernel_file: Write) -> None:
    for level in range(20):
        kernel_file(f'#include "h{level + 1}.h"\n' * 2 if level < 19 else "int x;\n", f"h{level}.h")
    assert "more than 10000 includes" in refusal(kernel_file('#include "h0.h"')).message
    kernel_file("int x;\n" * 400_000, "large.h")
    assert "includes hold more than 16000000 bytes" in refusal(kernel_file('#include "large.h"\n' * 9)).message


def test_only_regular_text_files_are_read(kernel_file: Write, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.h")
    (tmp_path / "folder.h").mkdir()
    (tmp_path / "nul.h").write_bytes(b"a\n\0")
    (tmp_path / "wide.h").write_text("int a;", encoding="utf-16")
    (tmp_path / "zero.h").symlink_to("/dev/zero")
    for name, message in (("pipe.h", "not a regular file"), ("nul.h", "a NUL byte"), ("wide.h", "this file is UTF-16")):
        error = refusal(kernel_file(f'\n#include "{name}"'))
        assert message in error.message and error.place.line == 2
        assert message in refusal(tmp_path / name).message
    assert preprocess(str(kernel_file('#include "zero.h"\n#include "folder.h"')), "cuda").missing == ("zero.h", "folder.h")
    assert "Is a directory" in refusal(tmp_path / "folder.h").message
    (tmp_path / "latin.cu").write_bytes("int é;".encode("latin-1"))
    assert preprocess(str(tmp_path / "latin.cu"), "cuda").text == "int é;"


class Oracle(pcpp.Preprocessor):  # type: ignore[misc]
    """pcpp, an independent preprocessor: the characters it makes with line and, outside macros, column."""

    def on_include_not_found(self, *_: object) -> None:
        raise pcpp.OutputDirective(pcpp.Action.IgnoreAndRemove)

    def characters(self, path: Path) -> list[tuple[str, int, int | None]]:
        text = "\n".join(line.rstrip() for line in without_ptx(path.read_text()).split("\n"))
        self.parse(text, str(path))
        lines = text.split("\n")
        found: list[tuple[str, int, int | None]] = []
        while (token := self.token()) is not None:
            if token.type in ("CPP_WS", "CPP_LINECONT"):
                continue
            start = token.lexpos - sum(len(line) + 1 for line in lines[: token.lineno - 1])
            known = not getattr(token, "expanded_from", None) and Path(token.source).name == path.name
            found += [(char, token.lineno, start + at + 1 if known else None) for at, char in enumerate(token.value)]
        return [item for item in found if not item[0].isspace()]


_BLANK_ORACLE = Oracle()


@pytest.mark.parametrize("dialect", ["cuda", "opencl"])
def test_same_as_pcpp_on_every_test_kernel(dialect: str) -> None:
    compared = 0
    for path in KERNELS:
        if (path.suffix == ".cl") != (dialect == "opencl") or "error_directive" in path.name:
            continue
        oracle = copy.copy(_BLANK_ORACLE)
        oracle.macros, oracle.include_once, oracle.temp_path, oracle.path = {}, {}, [], []
        for text in PREDEFINED[dialect]:
            oracle.define(text)
        ours = preprocess(str(path), dialect)  # type: ignore[arg-type]
        theirs = oracle.characters(path)
        mine = [(char, ours.place(at)) for at, char in enumerate(ours.text) if not char.isspace()]
        assert "".join(char for char, _ in mine) == "".join(item[0] for item in theirs), path
        for (_, place), (_, line, column) in zip(mine, theirs, strict=True):
            if column is not None:
                assert place.line == line and (place.column == column or ours.files[0].written is not None), path
                compared += 1
    assert compared > 1000


@pytest.mark.parametrize(("text", "asked"), [
    ("#ifndef A\n#define A 3\n#endif\nint x = A;", {"A": "3"}),
    ("#if !defined(A)\n#define A 3\n#endif\n#define B A\nint x = B;", {"A": "3"}),
    ("#ifndef A\n#define A 3\n#endif\n#if A > 2\nint x;\n#endif", {"A": "3"}),
    ("#ifndef A\n#define A 3\n#endif\nint x;", {}),
    ("#ifndef A\n#define A\n#endif\nint x A;", {}),
    ("#define A 3\n#ifndef A\n#define A 4\n#endif\nint x = A;", {}),
    ("#ifndef A\n#define A 3\n#endif\n#undef A\n#define A 5\nint x = A;", {"A": "5"}),
])
def test_a_value_of_the_text_s_own_is_told(tmp_path: Path, text: str, asked: dict[str, str]) -> None:
    """Where it is used, and nobody defined the macro before; with `-D` there is nothing to tell."""
    path = tmp_path / "k.cu"
    path.write_text(text)
    assert preprocess(str(path), "cuda").asked == asked
    assert preprocess(str(path), "cuda", defines={"A": "7"}).asked == {}
