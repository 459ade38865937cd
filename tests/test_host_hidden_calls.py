"""Ways in which a text of a project calls a function of another without a plain call of it.

Each is a project in which `run` is called with 64 in one text and with 32 in another: from a file that goes by an unusual name,
by a macro, a string, a symbol, another language, the build, or beside a function of the same name that is another one. Nobody may
believe that 64 is all there is.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from conftest import Run
from sample_repository import git
from test_host_abroad import HEADER, KERNEL, blocks, main

from automata.lang.host import find_launches
from automata.lang.naming import code_of, has_main, links, may_name
from automata.lang.preprocess import preprocess
from automata.lang.project import forget

M = {"main.cpp": main("run(p, 64);")}
C = {"k.cu": KERNEL.replace("void run", 'extern "C" void run'), "run.h": f'extern "C" {HEADER}', **M}
SEES = '#include "run.h"\n'
CALL = SEES + "void g() { run(0, 32); }"
IN_SPACE = {"k.cu": KERNEL.replace("void run", "namespace n { void run").replace("5); }", "5); } }"),
            "run.h": "namespace n { void run(float *p, int b); }\n", "main.cpp": main("n::run(p, 64);")}
HIDDEN: dict[str, dict[str, str]] = {
    **{f"a text that ends in {end}": {**M, f"o{end}": CALL} for end in (".C", ".c++", ".CPP", ".cppm", ".hip")},
    **{f"what a text includes that ends in {end}": {**M, "o.cpp": f'{SEES}#include "o{end}"\n',
                                                    f"o{end}": "void g() { run(0, 32); }"}
       for end in (".ipp", ".tpp", ".txt", "")},
    "a macro of such a text": {**M, "o.cpp": SEES + '#include "o.def"\nvoid g() { GO; }', "o.def": "#define GO run(0, 32)\n"},
    "a text of such a text":
        {**M, "o.cpp": '#include "o.one"\n', "o.one": SEES + '#include "o.two"\n', "o.two": "int x = (run(0, 32), 0);"},
    "a template of a text": {**M, "o.cpp.in": SEES + "void g() { run(0, @N@); }"},
    "a symbol that is looked up": {
        **C, "o.cpp": '#include <dlfcn.h>\nvoid g() { auto f = (void (*)(float *, int))dlsym(0, "run"); f(0, 32); }'},
    "a symbol of C++": {
        **M, "o.cpp": '#include <dlfcn.h>\nvoid g() { auto f = (void (*)(float *, int))dlsym(0, "_Z3" "runPfi"); f(0, 32); }'},
    "a symbol that is made": {**C, "o.cpp": '#include <dlfcn.h>\nvoid *g(const char *n) { return dlsym(0, n); }'},
    "a label": {**C, "o.cpp": 'extern "C" void go(float *, int) __asm__("run");\nvoid g() { go(0, 32); }'},
    "a label of C++": {**M, "o.cpp": 'void go(float *, int) asm("_Z3runPfi");\nvoid g() { go(0, 32); }'},
    "a pragma": {**C, "o.c": "#pragma redefine_extname go run\nvoid go(float *, int); void g() { go(0, 32); }"},
    "a macro that pastes without parameters": {**M, "o.cpp": SEES + "#define GO ru##n\nvoid g() { GO(0, 32); }"},
    "a macro that pastes what comes": {**M, "o.cpp": SEES + "#define GO(...) ru##__VA_ARGS__(0, 32)\nvoid g() { GO(n); }"},
    "a macro that pastes in other signs": {**M, "o.cpp": SEES + "#define GO(a) a%:%:n(0, 32)\nvoid g() { GO(ru); }"},
    "a macro that pastes past a comment": {**M, "o.cpp": SEES + "#define GO(a) a##/**/n(0, 32)\nvoid g() { GO(ru); }"},
    "a word on two lines": {**M, "o.cpp": SEES + "void g() { ru\\\nn(0, 32); }"},
    "a quote that is a character": {**M, "o.cpp": SEES + "void g() { char q = '\"'; run(0, 32); char r = '\"'; }"},
    "a quote in a raw string": {**M, "o.cpp": SEES + 'void g() { auto q = R"(")"; run(0, 32); auto r = R"(")"; }'},
    "a main behind a condition":
        {"k.cu": KERNEL + "int main() { run(0, 64); }", "o.cpp": CALL + "\n#ifdef T\nint main() { g(); }\n#endif"},
    "a method main":
        {"k.cu": KERNEL + "void g(); int main() { g(); run(0, 64); }", "o.cpp": CALL + "\nstruct S { void main(int); };"},
    "a main of a namespace":
        {"k.cu": KERNEL + "void g(); int main() { g(); run(0, 64); }", "o.cpp": CALL + "\nnamespace n { int main() {} }"},
    "a method of its name": {**M, "o.cpp": SEES + "struct S { void run(float *p, int b) {} }; void g() { run(0, 32); }"},
    "a method that calls it": {**M, "o.cpp": SEES + "struct S { void run(float *p, int b) { ::run(p, 32); } };"},
    "a function of a namespace": {**M, "o.cpp": SEES + "namespace n { void run(float *p, int b) {} } void g() { run(0, 32); }"},
    "a function of its own beside a namespace's":
        {**IN_SPACE, "o.cpp": SEES + "void run(float *p, int b) {} void g() { n::run(0, 32); }"},
    "a function of the namespace of an argument": {
        "k.cu": KERNEL.replace("void run(float", "namespace n { void run(T").replace("5); }", "5); } }").replace("(p, 5)",
                                                                                                                 "(0, 5)"),
        "run.h": "namespace n { struct T {}; void run(T *p, int b); }\n", "main.cpp":
            SEES + "int main() { n::T t; run(&t, 64); }",
        "o.cpp": SEES + "struct T {}; static void run(T *p, int b) {} void g(n::T *t) { run(t, 32); }"},
    "a weak function of its own":
        {**M, "o.cpp": SEES + "__attribute__((weak)) void run(float *p, int b) {} void g() { run(0, 32); }"},
    "a function that a pragma makes weak":
        {**C, "o.cpp": SEES + "#pragma weak run\nvoid run(float *p, int b) {} void g() { run(0, 32); }"},
    "a declaration by a name of its type":
        {**M, "o.cpp": "typedef void F(float *, int); extern F run; void g() { F *f = run; f(0, 32); }"},
    "a declaration by its type in brackets":
        {**M, "o.cpp": "typedef void F(float *, int); extern F run; void g() { (run)(0, 32); }"},
    "an overload for const": {**M, "o.cpp": SEES + "static void run(const float *p, int b) {} void g(float *p) { run(p, 32); }"},
    "an overload for another class of a template": {
        "k.cu": KERNEL.replace("float *p, int b)", "const std::vector<float> &p, int b)").replace("(p, 5)", "(0, 5)"),
        "run.h": "#include <vector>\nvoid run(const std::vector<float> &p, int b);\n",
        "main.cpp": SEES + "int main() { std::vector<float> v; run(v, 64); }",
        "o.cpp": SEES + "static void run(const std::vector<int> &v, int b) {} void g(std::vector<float> &v) { run(v, 32); }"},
    **{f"a name in a file that ends in {end}": {**C, f"o{end}": text} for end, text in {
        ".lua": "ffi.C.run(0, 32)", ".ipynb": '{"source": ["lib.run(0, 32)"]}', ".cs":
            "static extern void run(float[] p, int b);",
        ".S": "call run", ".rb": "Lib.run(nil, 32)", ".f03": "call run(p, 32)", ".R": '.C("run", p, 32)', ".zig":
            "c.run(null, 32);",
        ".i": "%inline %{ void g() { run(0, 32); } %}"}.items()},
    "a name for C++ in Objective-C++": {**M, "o.mm": CALL},
    "a name for C++ in Cython": {**M, "o.pyx": 'cdef extern from "run.h":\n  void run(float*, int)\ndef g(): run(NULL, 32)'},
    "a name for C++ in Python": {**M, "o.py": 'import cppyy\ncppyy.include("run.h")\ncppyy.gbl.run(0, 32)'},
    "a symbol of C++ in Python": {**M, "o.py": 'ctypes.CDLL("x")._Z3runPfi(0, 32)'},
    "a symbol of C++ in assembler": {**M, "o.s": "call _Z3runPfi\n"},
    "a header of another folder with brackets": {
        **M, "src/o.cpp": '#include "../run.h"\n#include <calls.h>\nvoid g() { GO; }', "src/calls.h": "",
        "inc/calls.h": "#define GO run(0, 32)\n"},
    "a header that a macro names": {
        **M, "o.cpp": "#define S(x) #x\n#define T(x) S(x.h)\n#include T(calls)\nvoid g() { GO; }",
            "calls.h": SEES + "#define GO run(0, 32)\n"},
    "a header that the build names":
        {**M, "o.cpp": "#include CALLS\nvoid g() { GO; }", "calls.h": SEES + "#define GO run(0, 32)\n"},
    "a header that the build puts first": {
        **M, "Makefile": "CXXFLAGS = -include calls.h\nall: o.o\n", "calls.h": SEES + "#define GO run(0, 32)\n",
            "o.cpp": "void g() { GO; }"},
    "a header that CMake puts first": {
        **M, "CMakeLists.txt": "target_precompile_headers(a PRIVATE\n  ${HERE}/calls.h)\n",
        "calls.h": SEES + "#define GO run(0, 32)\n", "o.cpp": "void g() { GO; }"},
    "a header that is imported": {
        **M, "o.cpp": 'import "calls.h";\nvoid g() { GO; }', "calls.h": SEES + "#define GO run(0, 32)\n"},
    "a main that the build gives another name": {
        "k.cu": KERNEL + "int other(); int main() { other(); run(0, 64); }",
        "Makefile": "o.o: o.cpp\n\tg++ -Dmain=other -c o.cpp\n", "o.cpp": SEES + "int main() { run(0, 32); }"},
    "a macro of the build":
        {**M, "Makefile": "CXXFLAGS = -DGO=run\n", "o.cpp": "void GO(float *, int);\nvoid g() { GO(0, 32); }"},
    "a macro of CMake": {**M, "CMakeLists.txt": "target_compile_definitions(a\n PRIVATE GO=run)\n",
                         "o.cpp": "void GO(float *, int);\nvoid g() { GO(0, 32); }"},
    "a symbol of the linker": {**C, "Makefile": "LDFLAGS = -Wl,--defsym=go=run\n",
                               "o.cpp": 'extern "C" void go(float *, int);\nvoid g() { go(0, 32); }'},
}
SEEN: dict[str, tuple[dict[str, str], set[object]]] = {
    "a build that names it otherwise": ({**M, "Makefile": "run: main.o\n\t./run -Dx=1 run.cu\n", "o.sh": "make run"}, {64}),
    "Python that has its word, and none of C": ({**M, "o.py": "subprocess.run(['x'])"}, {64}),
    "a variable of its name":
        ({**M, "o.cpp": "int g() { int run = 3; for (int i = run; i < 9; i++) run += i; return run; }"}, {64}),
    "a member of its name": ({**M, "o.cpp": "struct S { int run; }; int g(S *s) { return s->run; }"}, {64}),
    "a function of its own, with a pointer":
        ({**M, "o.cpp": "static void run(int) {} auto f = &run; void g() { run(3); }"}, {64}),
    "a function of a namespace of its own":
        ({**M, "o.cpp": "namespace n { void run(float *, int) {} void g() { run(0, 3); } }"}, {64}),
    "an asm without its name": ({**C, "o.cpp": 'void g() { asm volatile("nop"); puts("run"); }'}, {64}),
    "a symbol of another name": ({**C, "o.cpp": '#include <dlfcn.h>\nvoid *g() { return dlsym(0, "cuInit"); }'}, {64}),
}


@pytest.mark.parametrize("files", HIDDEN.values(), ids=HIDDEN)
def test_a_call_that_hides_is_not_missed(files: dict[str, str], tmp_path: Path) -> None:
    assert {None, 32} & blocks(tmp_path, files)


@pytest.mark.parametrize(("files", "sizes"), SEEN.values(), ids=SEEN)
def test_what_calls_nothing_hides_nothing(files: dict[str, str], sizes: set[object], tmp_path: Path) -> None:
    assert blocks(tmp_path, files) == sizes


def test_another_language_in_another_folder_is_seen(tmp_path: Path) -> None:
    for name, text in {".git/x": "", **{f"src/{name}": text for name, text in C.items()}, "py/o.py": "lib.ran(0, 32)"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    def known() -> set[object]:
        forget()
        read = functools.partial(preprocess, dialect="cuda", side="host")
        return {launch.block[0] for launch in find_launches(read(str(tmp_path / "src/k.cu")), None, read)}
    assert known() == {64}
    (tmp_path / "py/o.py").write_text("lib.run(0, 32)")
    assert 64 not in known()


@pytest.mark.parametrize(("text", "is_known"), [("lib.ran(0, 3)", True), ("lib.run(0, 3)", False)])
def test_two_revisions_have_what_other_languages_say(text: str, is_known: bool, run: Run, tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    body = "__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads(); p[threadIdx.x + 64 * blockIdx.x] = s[63 - threadIdx.x];"
    files = {**C, "k.cu": C["k.cu"].replace("{}", f"{{ {body} }}"), "o.py": text}
    git(tmp_path, "init", "-q", "-b", "main")
    for change in ("n;", "n + 1;"):
        for name, whole in files.items():
            (tmp_path / name).write_text(whole.replace("= n;", f"= {change}"))
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "a commit")
    monkeypatch.chdir(tmp_path)
    (record,) = [each for each in run("diff", "HEAD~1", "HEAD", "--format", "jsonl").records if each["kind"] == "diff"]
    assert (record["checks"][0]["launch"]["block"][0] == 64) == is_known


def test_what_code_is() -> None:
    assert code_of("a('\"'); /* \" */ b(\"c\"); // d\n1'000'e") .split() == ["a(0);", "b(", '""', ");", "1'000'e"]
    assert not may_name('puts("f"); // f\n/* f */', "f") and may_name("x = 1'0; f('1');", "f")
    assert links('asm("f")', "f") and not links('asm("g"); puts("f")', "f") and links('dlsym(0, "f")', "f")


@pytest.mark.parametrize(("text", "is_so"), [
    ("int main() {", True), ("int main(int argc, char **argv)\n{", True), ("#ifdef A\nint main() {\n#endif", False),
    ("#ifdef A\n#endif\nint main() {", True), ("namespace n { int main() { } }", False), ("int n::main() {", False),
    ("int main();", False), ("#define main other\nint main() {", False), ('extern "C" { int main() {', True),
])
def test_a_program_of_its_own(text: str, is_so: bool) -> None:
    assert has_main(text) == is_so
