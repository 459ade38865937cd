"""What becomes of an option that host code states in a string: what changes it, ends it or takes it away leaves it open."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.option_tokens import said, tokens_of, without_comments
from automata.lang.program_options import options_of

KERNEL = """#ifndef N
#define N 64
#endif
__kernel void fill(__global int *a) { a[get_global_id(0)] = N; }
"""
HOST = """#include <CL/cl.h>
%s
void go(int argc, char **argv, int n) {
  char buf[256]; std::string o; std::ostringstream s; int len = 0;
  load("fill.cl");
  %s
}
"""
MACROS = """#define MORE "0"
#define CHECK(x) do { int e = (x); if (e) exit(e); } while (0)
#define WHEN(c) if (c)
#define SMALL if (small)
#define BEGIN(c) if (c) {
#define ADD(s, x) if (small) s += x
#define TWICE(s, x) ADD(s, x)
#define DROP(x)
#define ALSO(x) (small && (x, 1))
"""
BUF, OUT = " clBuildProgram(p, 1, &d, buf, 0, 0);", " clBuildProgram(p, 1, &d, o.c_str(), 0, 0);"
KEPT = {
    "a raw string": ('o = R"(-DN=32)";' + OUT, "32"),
    "a raw string with a mark": ('o = R"x(-DN=32 -DQ="(")x";' + OUT, None),
    "a word behind a blank": ('o = "-DN=32"; o += " -DQ";' + OUT, "32"),
    "a blank at its end": ('o = "-DN=32 "; o += flags;' + OUT, "32"),
    "a number from outside": ('n = atoi(argv[1]); sprintf(buf, "-DN=32 -DQ=%d", n);' + BUF, "32"),
    "a program from outside": ('char src[99]; fgets(src, 99, f); p = make(src); o = "-DN=32 ";' + OUT, "32"),
    "a test around the build": ('o = "-DN=32"; CHECK(clBuildProgram(p, 1, &d, o.c_str(), 0, 0));', "32"),
    "an argument in a test": ('CHECK(clBuildProgram(p, 1, &d, "-DN=32", 0, 0));', "32"),
    "the last argument of any function": ('p = make(c, "fill.cl", "-DN=32");', "32"),
    "an argument of a function that makes a program": ('cl_program q = make(c, "-DN=32", err);', "32"),
    "a joiner of words": ('o = join("-DN=32 ", n);' + OUT, "32"),
    "a format behind it": ('len = sprintf(buf, "-DN=32"); sprintf(buf + len, " -DQ=%d", n);' + BUF, "32"),
    "a copy, then more": ('strcpy(buf, "-DN=32"); strcat(buf, " -DQ");' + BUF, "32"),
    "an array that it begins": ('char all[99] = "-DN=32"; clBuildProgram(p, 1, &d, all, 0, 0);', "32"),
    "a variable that is made of it": ('o = "-DN=32"; const char *c = o.c_str(); clBuildProgram(p, 1, &d, c, 0, 0);', "32"),
    "the argument of a build": ('clBuildProgram(p, 1, &d, "-DN=32", 0, 0);', "32"),
    "a character of a number": (r'o = "-DN=3\62";' + OUT, "32"),
    "lines that go on": ('sprintf(buf, "\\\n  -DN=%d \\\n", 32);' + BUF, "32"),
    "emptied before": ('buf[0] = 0; strcat(buf, "-DN=32");' + BUF, "32"),
    "a sum in a stream": ('s << "-DN=" << 30 + 2 << " -DQ"; o = s.str();' + OUT, "32"),
    "either branch": ('if (n) { o = "-DN=32 -DA"; } else { o = "-DN=32 -DB"; }' + OUT, None),
}
OPEN = {
    "the command line behind a blank": 'o = "-DN=32 "; o += argv[1];' + OUT,
    "the command line before it": 'o = argv[1]; o += " -DN=32 ";' + OUT,
    "the command line through a variable": 'std::string more = argv[1]; o = "-DN=32 "; o += more;' + OUT,
    "the command line in a format": 'sprintf(buf, "-DN=32 %s", argv[1]);' + BUF,
    "the command line in the call": 'o = "-DN=32 "; clBuildProgram(p, 1, &d, (o + argv[1]).c_str(), 0, 0);',
    "the environment": 'o = "-DN=32 "; o += getenv("FLAGS");' + OUT,
    "a line of a file": 'char more[99]; fgets(more, 99, f); o = "-DN=32 "; o += more;' + OUT,
    "what is typed": 'std::string more; std::cin >> more; o = "-DN=32 "; o += more;' + OUT,
    "a function that goes on": 'o = StrCat("-DN=6", n);' + OUT,
    "a function of a namespace that goes on": 'o = absl::StrCat("-DN=6", n, " -w");' + OUT,
    "a function that appends": 'StrAppend(&o, "-DN=6", n);' + OUT,
    "a method that goes on": 'o = tool.join("-DN=6", n);' + OUT,
    "a function in the call": 'clBuildProgram(p, 1, &d, cat("-DN=6", n).c_str(), 0, 0);',
    "a macro that is a test": 'WHEN(n) o = "-DN=32";' + OUT,
    "a macro that is a test of a block": 'WHEN(n) { o = "-DN=32"; }' + OUT,
    "a macro that nobody shows": 'UNLESS(n) o = "-DN=32";' + OUT,
    "a macro that nobody shows, of a block": 'UNLESS(n) { len = 1; o = "-DN=32"; }' + OUT,
    "a macro without brackets": 'SMALL o = "-DN=32";' + OUT,
    "a macro without brackets that nobody shows": 'TINY o = "-DN=32";' + OUT,
    "a macro that opens a block": 'BEGIN(n) len = 1; o = "-DN=32"; }' + OUT,
    "a macro that adds sometimes": 'ADD(o, "-DN=32");' + OUT,
    "a macro that drops it": 'DROP(o = "-DN=32");' + OUT,
    "a macro of a macro": 'TWICE(o, "-DN=32");' + OUT,
    "a macro that goes on with it": 'ALSO(o = "-DN=32");' + OUT,
    "strcat": 'strcpy(buf, "-DN=32"); strcat(buf, "0");' + BUF,
    "a format at its end": 'strcpy(buf, "-DN=32"); sprintf(buf + strlen(buf), "%d", n);' + BUF,
    "a format at a number": 'len = sprintf(buf, "-DN=32"); len += snprintf(buf + len, 99, "0 -DQ");' + BUF,
    "added": 'o = "-DN=32"; o += "0";' + OUT,
    "added to itself": 'o = "-DN=32"; o = o + "0";' + OUT,
    "a number that is added": 'o = "-DN=32"; o += std::to_string(n);' + OUT,
    "appended": 'o = "-DN=32"; o.append("0");' + OUT,
    "a character": "o = \"-DN=32\"; o.push_back('0');" + OUT,
    "inserted": 'o = "-DN=32"; o.insert(4, "1");' + OUT,
    "a character that is changed": "strcpy(buf, \"-DN=32\"); buf[5] = '5';" + BUF,
    "a stream that goes on": 's << "-DN=32"; s << n; o = s.str();' + OUT,
    "a number and digits": 'o = "-DN=" + std::to_string(4) + "0";' + OUT,
    "a number that goes on": 's << "-DN=" << 4; s << "0"; o = s.str();' + OUT,
    "two numbers": 's << "-DN=" << 4 << 5; o = s.str();' + OUT,
    "another base": 's << std::hex << "-DN=" << 32; o = s.str();' + OUT,
    "an argument that goes on": 'o = "-DN=32"; clBuildProgram(p, 1, &d, (o + "0").c_str(), 0, 0);',
    "a macro behind it": 'o = "-DN=32" MORE;' + OUT,
    "a macro before it": 'o = MORE "-DN=32";' + OUT,
    "a name that goes on": 'o = "-DN"; o += "=32";' + OUT,
    "written over": 'o = "-DN=32"; o = "-DQ";' + OUT,
    "emptied": 'o = "-DN=32"; o.clear();' + OUT,
    "emptied by its first character": 'strcpy(buf, "-DN=32"); buf[0] = 0;' + BUF,
    "copied over": 'strcpy(buf, "-DN=32"); strcpy(buf, "-DQ");' + BUF,
    "a part that is copied": 'strncpy(buf, "-DN=32", 5);' + BUF,
    "a part that is formatted": 'snprintf(buf, 6, "-DN=32");' + BUF,
    "a part that is made": 'o = std::string("-DN=32", 5);' + OUT,
    "a part that is taken": 'o = std::string("-DN=32").substr(0, 5);' + OUT,
    "a part that is left": 'o = "-DN=32"; o.resize(5);' + OUT,
    "a build without": 'const char *c = "-DN=32"; clBuildProgram(p, 1, &d, "", 0, 0);',
    "two builds": 'o = "-DN=32"; clBuildProgram(q, 1, &d, NULL, 0, 0);' + OUT,
    "an argument of one of two": 'clBuildProgram(p, 1, &d, "-DN=32", 0, 0); clBuildProgram(q, 1, &d, buf, 0, 0);',
    "printed": 'printf("pass -DN=32");' + BUF,
    "compared": 'check(o == "-DN=32");' + OUT,
    "looked for": 'if (o.find("-DN=32") == 0) n = 1;' + OUT,
    "one of several": 'const char *all[] = {"-DN=32", ""}; clBuildProgram(p, 1, &d, all[n], 0, 0);',
    "a test before it": 'n && (o = "-DN=32", 0);' + OUT,
    "jumped over": 'if (n) goto skip; o = "-DN=32"; skip:' + OUT,
    "a closure": 'auto f = [&] { o = "-DN=32"; }; if (n) f();' + OUT,
    "a condition of the preprocessor": '\n#ifdef SMALL\no = "-DN=32";\n#endif\n' + OUT,
    "asserted": 'assert((o = "-DN=32").size());' + OUT,
    "a formatter of its own": 'o = fmt::format("-DN={}", n);' + OUT,
    "quoted": r'o = "-DQ=\"x -DN=32\"";' + OUT,
    "the name of a folder": 'o = "-I -DN=32";' + OUT,
    "a width": 'sprintf(buf, "-DN=%03d", 9);' + BUF,
    "a width that is passed": 'sprintf(buf, "%*d -DN=%d", 1, 3, 4);' + BUF,
    "a short number": 'sprintf(buf, "-DN=%hhd", 300);' + BUF,
    "below zero": 'sprintf(buf, "-DN=%u", 1 - 2);' + BUF,
    "beyond int": 'sprintf(buf, "-DN=%d", 1 << 31);' + BUF,
}
CONSTANTS = {
    "a sum": ("#define SIZE 1 + 3", "5"), "parentheses": ("#define SIZE (1 + 3)", "8"), "a number": ("const int SIZE = 4;", "8"),
    "a condition": ("#ifndef SIZE\n#define SIZE 4\n#endif", None), "undefined again": ("#define SIZE 4\n#undef SIZE", None),
    "a variable of the name": ("const int SIZE = 4; void f() { int SIZE = 5; }", None),
    "a float": ("const float SIZE = 3;", None),
    "a parameter": ("const int SIZE = 4; void f(int SIZE);", None), "a character": ("const char SIZE = 256;", None),
    "a guard": ("#ifndef HOST_H\n#define HOST_H\n#define SIZE 4\n#endif", "8"),
}


def _value(folder: Path, before: str, body: str) -> tuple[bool, str | None]:
    """Whether the option is known to be there, and its value."""
    (folder / ".git").mkdir()
    (folder / "fill.cl").write_text(KERNEL)
    (folder / "host.cpp").write_text(HOST % (before, body))
    passed = options_of(str(folder / "fill.cl"), None)
    return passed is not None and bool(passed.flags.defines.keys() | passed.open), passed and passed.flags.defines.get("N")


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept(tmp_path: Path, name: str) -> None:
    assert _value(tmp_path, MACROS, KEPT[name][0]) == (True, KEPT[name][1])


@pytest.mark.parametrize("name", OPEN)
def test_what_is_left_open(tmp_path: Path, name: str) -> None:
    assert _value(tmp_path, MACROS, OPEN[name]) == (True, None)


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_of_the_host(tmp_path: Path, name: str) -> None:
    before, value = CONSTANTS[name]
    assert _value(tmp_path, before, 'sprintf(buf, "-DN=%d", 2 * SIZE);' + BUF)[1] == value


def test_options_in_a_macro_are_seen(tmp_path: Path) -> None:
    assert _value(tmp_path, '#define OPTIONS "-DN=%d"', "sprintf(buf, OPTIONS, n);" + BUF) == (True, None)


def test_a_name_that_is_computed_leaves_those_that_are_asked_about(run: Run, tmp_path: Path) -> None:
    _value(tmp_path, "", 'o = "-D"; o += argv[1];' + OUT)
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert any("compiled without -DN" in each for each in record["assumptions"])


def test_tokens_of_a_host() -> None:
    text = 'a /* " */ R"(x")" // "\n#if 1\nif (b) "\\x41\\102\\n"; [&](int i) { c; };\n#endif'
    tokens = list(tokens_of("{" + without_comments(text) + "}"))
    assert [said(each.text) for each in tokens if each.text[0] == '"'] == ['x"', "AB\n"]
    branches = {each.text: len(each.branches) for each in tokens}
    assert (branches["a"], branches["b"], branches["c"]) == (0, 2, 2)
