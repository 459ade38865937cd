"""Host functions that other texts of a program call.

What they pass makes launches of its own; where a call may be missed nothing is believed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.declared import only_declares
from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess
from automata.lang.project import forget

KERNEL = """#include "run.h"
__global__ void k(float *p, int n) {}
void run(float *p, int b) { k<<<2, b>>>(p, 5); }
"""
HEADER = "void run(float *p, int b);\n"
MAIN = '#include "run.h"\nint main() { float *p = 0; BODY }\n'


def blocks(folder: Path, files: dict[str, str]) -> set[object]:
    """The sizes of blocks that are read of `k.cu` among other files."""
    for name, text in {"k.cu": KERNEL, "run.h": HEADER, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    forget()
    source = preprocess(str(folder / "k.cu"), "cuda", side="host")
    stated = find_launches(source, str(folder), lambda path: preprocess(path, "cuda", side="host"))
    assert stated
    return {launch.block[0] if isinstance(launch.block[0], int) else None for launch in stated}


def main(body: str) -> str:
    return MAIN.replace("BODY", body)


FOR_C = {"k.cu": KERNEL.replace("void run", 'extern "C" void run'), "run.h": f'extern "C" {HEADER}'}
SEEN: dict[str, tuple[dict[str, str], set[object]]] = {
    "one call": ({"main.cpp": main("run(p, 64);")}, {64}),
    "two texts": ({"main.cpp": main("run(p, 64);"), "other.cpp": HEADER + "void f(float *p) { run(p, 32); }"}, {32, 64}),
    "two programs": ({"main.cpp": main("run(p, 64);"), "test.cpp": main("run(p, 16);")}, {16, 64}),
    "a call through another function": (
        {"main.cpp": HEADER + "static void f(float *p, int b) { run(p, 2 * b); }\nint main() { f(0, 16); f(0, 8); }"}, {16, 32}),
    "a value that is chosen": ({"main.cpp": main("int b = 64; if (p) b = 32; run(p, b);")}, {32, 64}),
    "a macro of the header": ({"run.h": HEADER + "#define GO(p) run(p, 64)\n", "main.cpp": main("GO(p);")}, {64}),
    "a name that is pasted": ({"run.h": HEADER + "#define GO(a, b) a##b(p, 64)\n", "main.cpp": main("GO(ru, n);")}, {64}),
    "a word in a comment": ({"main.cpp": main("run(p, 64); /* run */ puts(\"run\");"), "o.cpp": "// run(p, 32)\n"}, {64}),
    "a function of its own": (
        {"main.cpp": main("run(p, 64);"), "o.cpp": "static void run(float *p, int b) {}\nvoid g() { run(0, 3); }"}, {64}),
    "a function of its own with another number of parameters": (
        {"main.cpp": main("run(p, 64);"), "o.cpp": "void run(float *p, int b, int c) {}\nvoid g() { run(0, 3, 4); }"}, {64}),
    "a method of that name": ({"main.cpp": main("run(p, 64);"), "o.cpp": "struct S; void g(S &s) { s.run(3); }"}, {64}),
    "many other programs": ({f"m{at}.cpp": main("run(p, 64);") for at in range(40)} | {
        "k.cu": KERNEL + main("run(p, 32);")}, {32}),
    "a function of its own beside a header that is missing": (
        {"main.cpp": main("run(p, 64);"),
         "o.cpp": '#include "missing.h"\nvoid run(float *p, int b) {}\nvoid g() { run(0, 3); }'}, {64}),
    "one with another number of parameters, that nothing calls, beside such a header": (
        {"main.cpp": main("run(p, 64);"), "o.cpp": '#include "missing.h"\nvoid run(float *p, int b, int c) {}'}, {64}),
    "twenty texts": ({"main.cpp": main("run(p, 64);")} | {
        f"o{at}.cpp": HEADER + "void g() { run(0, 32); }" for at in range(20)}, {32, 64}),
    "a header that is missing, of a text that sees the declaration alone": (
        {"main.cpp": main("run(p, 64);"), "o.cpp": '#include "missing.h"\n#include "run.h"\nvoid g() {}'}, {64}),
    "a declaration for C and C++": (
        {"run.h": f'#ifdef __cplusplus\nextern "C" {{\n#endif\n{HEADER}#ifdef __cplusplus\n}}\n#endif\n',
         "main.cpp": main("run(p, 64);"), "o.cpp": '#include "missing.h"\n#include "run.h"\nvoid g() {}'}, {64}),
    "more calls than are told apart, of which all pass one number": (
        {"k.cu": KERNEL.replace("int b)", "int b, int c)"), "run.h": HEADER.replace("int b)", "int b, int c)"),
         "main.cpp": main("".join(f"run(p, 64, {at});" for at in range(120)))}, {64}),
    "Python that has no such name": ({**FOR_C, "main.cpp": main("run(p, 64);"), "o.py": "lib.ran(0, 3)"}, {64}),
    "a number of the command line": ({"main.cpp": main("int b = atoi(\"3\"); run(p, b);")}, {None}),
}
MISSED: dict[str, dict[str, str]] = {
    "no program": {"other.cpp": HEADER + "void f(float *p) { run(p, 32); }"},
    "a pointer": {"main.cpp": main("run(p, 64);"), "o.cpp": HEADER + "void g() { auto f = run; f(0, 32); }"},
    "an overload": {"main.cpp": main("run(p, 64);"),
                    "o.cpp": HEADER + "void run(float *p, char b); void g() { run(0, 32); }"},
    "an overload of its own": {"main.cpp": main("run(p, 64);"),
                               "o.cpp": HEADER + "void run(float *p, int b, int c) {} void g() { run(0, 32); }"},
    "an overload that takes what comes": {"main.cpp": main("run(p, 64);"),
                                          "o.cpp": "void run(float *p, ...) {} void g() { run(0, 3); }"},
    "an overload that is declared alone": {"main.cpp": main("run(p, 64);"),
                                           "o.cpp": "void run(float *p); void g() { run(0, 32); }"},
    "a declaration in a function": {"main.cpp": main("run(p, 64);"),
                                    "o.cpp": "void g() { extern void run(float *, int); run(0, 32); }"},
    "a header that is missing": {"main.cpp": main("run(p, 64);"),
                                 "o.cpp": '#include "missing.h"\n' + HEADER + "void g() { run(0, 3); }"},
    "a header that is missing beside another function of its name": {
        "main.cpp": main("run(p, 64);"),
        "o.cpp": '#include "missing.h"\nvoid run(float *p, int b, int c) {} void g() { run(0, 3, 4); }'},
    "a header that is missing beside another function and a pointer": {
        "main.cpp": main("run(p, 64);"),
        "o.cpp": '#include "missing.h"\nvoid run(float *p, int b, int c) {} auto f = &run;'},
    "many texts without a program": {"main.cpp": main("run(p, 64);")} | {
        f"o{at}.cpp": HEADER + "void g() { run(0, 64); }" for at in range(60)},
    "a macro of a header that declares it": {
        "run.h": HEADER + "#define GO(p) run(p, 32)\n", "main.cpp": main("run(p, 64);"),
        "o.cpp": '#include "missing.h"\n#include "run.h"\nvoid g() { GO(0); }'},
    "a macro that pastes its name": {
        "run.h": HEADER + "#define GO(a) a##n(0, 32)\n", "main.cpp": main("run(p, 64);"),
        "o.cpp": '#include "missing.h"\n#include "run.h"\nvoid g() { GO(ru); }'},
    "Python that makes names": {**FOR_C, "main.cpp": main("run(p, 64);"), "o.py": "getattr(lib, 'ru' + 'n')(0, 3)"},
    "Fortran": {"k.cu": FOR_C["k.cu"].replace("run(", "run_("), "run.h": FOR_C["run.h"].replace("run(", "run_("),
                "main.cpp": main("run_(p, 64);"), "o.f90": "call RUN(p, 3)"},
    "many calls that pass different numbers": {"main.cpp": main("".join(f"run(p, {at + 1});" for at in range(120)))},
    "a header that calls": {"main.cpp": main("run(p, 64);"), "o.h": HEADER + "inline void g() { run(0, SIZE); }"},
    "a function of the header": {"run.h": HEADER + "static inline void go(float *p, int b) { run(p, b); }\n",
                                 "main.cpp": main("go(p, 64);"), "o.cpp": '#include "run.h"\nvoid g() { go(0, 32); }'},
    "Python and C": {"k.cu": KERNEL.replace("void run", 'extern "C" void run'), "main.cpp": main("run(p, 64);"),
                     "o.py": "lib.run(0, 3)"},
    "a condition on the platform": {"main.cpp": main("run(p, 64);"),
                                    "o.cpp": HEADER + "#ifdef __linux__\nvoid g() { run(0, 32); }\n#endif\n"},
    "a name in Python for a function that a header declares for C": {
        "run.h": f'extern "C" {HEADER}', "main.cpp": main("run(p, 64);"), "o.py": "lib.run(0, 3)"},
    "a default of the header": {"run.h": "void run(float *p, int b = 64);\n", "main.cpp": main("run(p);")},
}


@pytest.mark.parametrize(("files", "sizes"), SEEN.values(), ids=SEEN)
def test_what_other_texts_pass_is_read(files: dict[str, str], sizes: set[object], tmp_path: Path) -> None:
    assert blocks(tmp_path, files) == sizes


@pytest.mark.parametrize("files", MISSED.values(), ids=MISSED)
def test_where_a_call_may_be_missed_nothing_is_believed(files: dict[str, str], tmp_path: Path) -> None:
    assert None in blocks(tmp_path, files)


VARIABLE = """int base = 64; int twice = 2 * base;
__global__ void k(float *p, int n) {}
void run(float *p, int) { k<<<2, twice>>>(p, 5); }
"""
PASTED = {"o.h": "#define SET(a, c) a##c = 3\n", "o.cpp": '#include "o.h"\nvoid g() { SET(twi, ce); }'}


@pytest.mark.parametrize(("files", "known"), [
    ({"main.cpp": main("run(p, 3);")}, True),
    ({"main.cpp": main("run(p, 3);"), "o.cpp": "// base = 3\nint c;"}, True),
    ({"main.cpp": main("run(p, 3);"), "o.cpp": "extern int base; void g() { base = 3; }"}, False),
    ({"main.cpp": "extern int twice;\n" + main("twice = 3; run(p, 3);")}, False),
    ({"main.cpp": main("run(p, 3);"), **PASTED}, False),
    ({"main.cpp": main("run(p, 3);"), "o.f90": "end program"}, True),
    ({"main.cpp": main("run(p, 3);"), "o.f90": "common /BASE/ i"}, False),
    ({"main.cpp": main("run(p, 3);"), "o.py": 'c_int.in_dll(lib, "base").value = 3'}, False),
    ({"other.cpp": "int c;"}, False),
])
def test_a_variable_of_the_file_is_known_where_no_other_text_can_change_it(
        files: dict[str, str], known: bool, tmp_path: Path) -> None:
    assert blocks(tmp_path, {"k.cu": VARIABLE, **files}) == {128 if known else None}


def test_sizes_are_passed_as_a_whole(tmp_path: Path) -> None:
    kernel = KERNEL.replace("int b) {", "dim3 b) {")
    files = {"k.cu": kernel, "run.h": "void run(float *p, dim3 b);\n", "main.cpp": main("dim3 b(8, 4); run(p, b);")}
    assert blocks(tmp_path, files) == {8}
    assert blocks(tmp_path, {**files, "main.cpp": main("dim3 b(8, 4); b.x = 16; run(p, b); run(p, 32);")}) == {16, 32}


SIZED = """#include "run.h"
__global__ void k(float *p, int n, int m) {}
void run(float *p, int n, int m, dim3 g) { k<<<g, 64>>>(p, n, m); }
"""
COMPUTED: dict[str, tuple[str, set[tuple[object, ...]]]] = {
    "of an argument": ("int n = get(); run(p, n, 7, (n + 63) / 64);", {("({1} + 63) / 64", None, 7)}),
    "as a dim3": ("int n = get(); dim3 g((n + 63) / 64, 2); run(p, n, 7, g);", {("({1} + 63) / 64", None, 7)}),
    "through another function": (
        "go(p, get()); } void go(float *p, int n) { run(p, n, 7, n / 64);", {("{1} / 64", None, 7)}),
    "of another variable": ("int n = get(), m = get(); run(p, n, m, (m + 63) / 64);", {("({2} + 63) / 64", None, None)}),
    "two calls": ("int n = get(), m = get(); run(p, n, m, n / 64); run(p, n, m, m / 32);",
                  {("{1} / 64", None, None), ("{2} / 32", None, None)}),
    "of what no argument is": ("int n = get(); run(p, 3, 4, n / 64);", {("{h0} / 64", 3, 4)}),
    "changed before the call": ("int n = get(); int g = n / 64; n = get(); run(p, n, 7, g);", {("({h0} / 64)", None, 7)}),
    "changed in the call": ("int n = get(); run(p, n++, 7, n / 64);", {(None, None, 7)}),
    "changed by reference": ("int n = get(); int &r = n; int g = n / 64; r = 3; run(p, n, 7, g);", {("({h0} / 64)", None, 7)}),
    "changed by another": ("int n = get(); int g = n / 64; change(&n); run(p, n, 7, g);", {("({h0} / 64)", None, 7)}),
    "changed in a loop": ("int n = get(); int g = n / 64; for (;;) { run(p, n, 7, g); n = get(); }", {("({h0} / 64)", None, 7)}),
    "declared again": ("int n = get(); { int n = get(); run(p, n, 7, 5); } ", {(5, None, 7)}),
}


def _passed(folder: Path, body: str, kernel: str = SIZED) -> list[HostLaunch]:
    """The launches of a kernel whose launcher `main` calls in another text."""
    head = "void run(float *p, int n, int m, dim3 g);\n"
    main = f'#include "run.h"\nint get(); void change(int *); void go(float *p, int n);\nint main() {{ float *p = 0; {body} }}\n'
    for name, text in {"k.cu": kernel, "run.h": head, "main.cpp": main}.items():
        (folder / name).write_text(text)
    forget()
    source = preprocess(str(folder / "k.cu"), "cuda", side="host")
    return find_launches(source, str(folder), lambda path: preprocess(path, "cuda", side="host"))


@pytest.mark.parametrize(("body", "expected"), COMPUTED.values(), ids=COMPUTED)
def test_sizes_that_another_text_computes(body: str, expected: set[tuple[object, ...]], tmp_path: Path) -> None:
    """They are tied to an argument only where the call passes the value that they were computed of."""
    assert {(each.grid[0], *each.args[1:]) for each in _passed(tmp_path, body)} == expected


def test_what_holds_at_the_call_holds_at_the_launch(tmp_path: Path) -> None:
    tested, = _passed(tmp_path, "int n = get(); if (n % 64 == 0) run(p, n, 7, n / 64);")
    assert tested.facts == ("({1} % 64 == 0)",)
    behind, = _passed(tmp_path, "int n = get(); if (n % 64 == 0) get(); run(p, n, 7, n / 64);")
    assert behind.facts == ()
    other, = _passed(tmp_path, "int n = get(); if (n % 64 == 0) { n = get(); run(p, n, 7, n / 64); }")
    assert other.facts == ()


@pytest.mark.parametrize("change", ["", "n = 3;", "int &r = n; r = 3;", "change(&n);"])
def test_what_is_passed_may_change_before_the_launch(change: str, tmp_path: Path) -> None:
    kernel = "void change(int *);\n" + SIZED.replace("{ k<<<", f"{{ {change} k<<<")
    launch, = _passed(tmp_path, "int n = get(); run(p, n, 7, n / 64);", kernel)
    assert str(launch.grid[0]).strip("()") == ("{h0} / 64" if change else "{1} / 64")


OWN_CALL = 'static void run(float *p, int b) { k<<<2, b>>>(p, 5); }\nint main() { run(0, 64); }\n'
RELIED: dict[str, tuple[dict[str, str], str]] = {
    "calls of another text": ({"main.cpp": main("run(p, 64);")}, "'run'"),
    "a variable of the file": (
        {"k.cu": VARIABLE.replace("64", "32"), "main.cpp": main("run(p, 3);")}, "'run', 'base', 'twice'"),
    "a function of its own": ({"k.cu": KERNEL.partition("void run")[0] + OWN_CALL}, ""),
    "numbers": ({"k.cu": KERNEL.replace("<<<2, b>>>", "<<<2, 64>>>")}, ""),
}


@pytest.mark.parametrize("name", RELIED)
def test_a_verdict_says_of_which_names_other_programs_could_say_more(run: Run, tmp_path: Path, name: str) -> None:
    files, told = RELIED[name]
    (tmp_path / ".git").mkdir()
    body = "{ __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads(); if (n) p[blockIdx.x * 64 + threadIdx.x] = s[0]; }"
    for path, text in {"k.cu": KERNEL, "run.h": HEADER, **files}.items():
        (tmp_path / path).write_text(text.replace("{}", body))
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["launch"]["block"][0] in (64, 128)
    assert [text for text in record["assumptions"] if "linked" in text] == ([
        f"the host program is linked with no other text than its project's that calls, defines or sets {told}"] if told else [])


@pytest.mark.parametrize(("text", "is_so"), [
    ("void f(int);", True), ("void f(void);", True), ("int *f(const float *p, int n[4], size_t);", True), ("f(int a);", False),
    ('extern "C" { void f(int a); }', True), ("namespace n { void f(int a); }", False), ("void f(int a); // f(3)", True),
    ("void f(int a) {}", False), ("void f(int a = 3);", False), ("int x = f(3);", False), ("void f(int);\n#define G f(3)", False),
    ("void f(int a);\n#define G(a) a##x", False), ("void g() { M f(a); }", False), ("M f(3);", False), ("M f(a, b);", False),
    ('extern "C" { void f(int a); } } void g() { M f(int a); }', False), ("struct S { void f(int a); };", False),
    ("void f(int a); auto g = f;", False), ("typedef void f(int a);", False), ("void g(int a);", False),
    ("void f(), g();", False), ("const int n = 1'000; void f(int a); int g() { return f(1'0); }", False),
    ("extern \"C\" { void f(int a);\n#ifdef A\n}\n#else\n}\n#endif", False),
    ("void f(int a); auto x = R\"(f)\";", True), ("using g = void f(int a);", False), ("void f(int a) noexcept;", True),
])
def test_what_only_declares(text: str, is_so: bool) -> None:
    assert only_declares(text, "f") == is_so
