"""Options of an OpenCL program whose values the host computes: tied to the launch where they certainly are its sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess
from automata.lang.program_options import ANY_NUMBER

KERNEL = """__kernel void fill(__global float *a) {
  for (int i = 0; i < 3; i++) a[i * N + get_global_id(0)] = i;
}
"""
HOST = """#include <CL/cl.h>
#include <string>
#include <sstream>
using std::string; using std::ostringstream;
cl_context context; cl_command_queue q; cl_mem buffer; cl_device_id device; const char *source; void load(const char *);
%s
int main(int argc, char **argv) {
  cl_int err; int n = atoi(argv[1]);
  %s
  return 0;
}
"""
SUM = 'options += "-DM=3 -DN=" + std::to_string(n) + " ";'
FORMAT = 'sprintf(options, "-DM=%d -DN=%d -Dtype=float", 3, n);'
TEXT, ARRAY = 'string options = "-DDOUBLE ";', "char options[256];"
MAKE = ("cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err); "
        "err = clBuildProgram(p, 0, NULL, options.c_str(), NULL, NULL); ")
PLAIN = MAKE.replace(".c_str()", "")
GO = ('cl_kernel k = clCreateKernel(p, "fill", &err); clSetKernelArg(k, 0, sizeof(cl_mem), &buffer); '
      "size_t g = n, l = 64; clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, NULL, NULL);")
SHOW = "template <class T> string toString(const T &t) { std::ostringstream s; s << t; return s.str(); }"
RUN = "void run(string &options, int n) { cl_int err; " + SUM + MAKE + GO + " }"
READ = {
    "a sum": ("", TEXT + SUM + MAKE + GO),
    "a sum that is the whole": ("", TEXT + SUM.replace("+=", "=") + MAKE + GO),
    "a sum with what was there in front": ("", TEXT + SUM.replace("+=", "= options +") + MAKE + GO),
    "a function that shows": (SHOW, TEXT + SUM.replace("std::to_string", "toString") + MAKE + GO),
    "a format": ("", ARRAY + FORMAT + PLAIN + GO),
    "a format behind another": ("", ARRAY + 'sprintf(options, "-I."); ' + FORMAT.replace("(options", "(options + strlen(options)")
                                + PLAIN + GO),
    "a format at the end": ("", ARRAY + 'sprintf(options, "-DN=%d", n);' + PLAIN + GO),
    "rounds that build anew": ("", TEXT + SUM + "for (int i = 0; i < 3; i++) { " + MAKE + GO + " }"),
    "a text that is given": (RUN, "string options = \"-DDOUBLE \"; run(options, n);"),
    "a format of the variable's type": ("", ARRAY + 'size_t m = atol(argv[1]); sprintf(options, "-DN=%zu -DQ=1", m);' + PLAIN
                                        + GO.replace("g = n", "g = m")),
    "a sum behind a sum that ends in a blank": ("", TEXT + 'options += "-DM=3 "; ' + SUM.replace("-DM=3 ", "") + MAKE + GO),
    "a text that is printed": ("", TEXT + SUM + "std::cout << options << std::endl; " + MAKE + GO),
}
NOT_TIED = {
    "another value": ("", TEXT + "int m = n / 2; " + SUM.replace("(n)", "(m)") + MAKE + GO),
    "a digit behind": ("", TEXT + SUM.replace('" ";', '"0 ";') + MAKE + GO),
    "a digit behind a format": ("", ARRAY + FORMAT.replace("%d -Dt", "%d0 -Dt") + PLAIN + GO),
    "a digit that is added": ("", ARRAY + 'sprintf(options, "-DN=%d", n); strcat(options, "0");' + PLAIN + GO),
    "a value that is changed behind it": ("", TEXT + SUM + "n += argc; " + MAKE + GO),
    "a value that is changed before": ("", TEXT + "int m = n; m += argc; " + SUM.replace("(n)", "(m)") + MAKE + GO),
    "a program that is built before": ("", TEXT + 'string old = "-DN=7 "; ' + MAKE.replace("options.", "old.") + SUM + GO),
    "a program that is built with another text": ("", TEXT + SUM + "string other = argv[2]; "
                                             + MAKE.replace("options.", "other.") + GO),
    "a program that is built with either": (
        "", TEXT + SUM + MAKE + "if (argc) clBuildProgram(p, 0, NULL, argv[2], NULL, NULL); " + GO),
    "a program that another function builds": ("void build(cl_program);", TEXT + SUM + MAKE + "build(p); " + GO),
    "another program": ("cl_program other();", TEXT + SUM + MAKE + "if (argc) p = other(); " + GO),
    "another option of the name": ("", TEXT + SUM + 'options += "-DN=5 "; ' + MAKE + GO),
    "an option that takes it back": ("", TEXT + SUM + 'options += "-UN -DQ=1 "; ' + MAKE + GO),
    "an option put together": ("", TEXT + SUM + 'options += string("-D") + argv[2]; ' + MAKE + GO),
    "an option put together of pieces": ("", TEXT + SUM + 'options += "-D" + name() + "=5 "; ' + MAKE + GO),
    "a text that something changes": ("void change(string &);", TEXT + SUM + "change(options); " + MAKE + GO),
    "a character that is changed": ("", TEXT + SUM + "options[9] = '7'; " + MAKE + GO),
    "a character of an array that is changed": ("", ARRAY + FORMAT + "options[9] = '7'; " + PLAIN + GO),
    "a reference to the text": ("", TEXT + "string &other = options; " + SUM + "other = argv[2]; " + MAKE + GO),
    "a text in a branch": ("", TEXT + 'if (argc) { ' + SUM + " } else { options += argv[2]; } " + MAKE + GO),
    "a text in a branch alone": ("", TEXT + "if (argc > 2) { " + SUM + " } " + MAKE + GO),
    "a text that a loop writes": ("", TEXT + "for (n = 0; n < 9; n++) { " + SUM + " } n = argc; " + MAKE + GO),
    "a text that a jump passes by": ("", TEXT + "if (argc) goto made; " + SUM + " made: " + MAKE + GO),
    "another text in a format": ("", ARRAY + 'sprintf(options, "-DN=%d %s", n, argv[2]);' + PLAIN + GO),
    "another text in front of a format": ("", ARRAY + 'sprintf(options, "%s -DN=%d ", argv[2], n);' + PLAIN + GO),
    "another text behind": ("", TEXT + SUM.replace('" ";', '" " + argv[2];') + MAKE + GO),
    "what was there behind": ("", TEXT + SUM.replace("+=", "=").replace('" ";', '" " + options;') + MAKE + GO),
    "another argument of the format": ("", ARRAY + FORMAT.replace("3, n", "n, 3") + PLAIN + GO),
    "a function that shows otherwise": (SHOW.replace("s << t", "s << std::hex << t"),
                                        TEXT + SUM.replace("std::to_string", "toString") + MAKE + GO),
    "a function that shows more": (SHOW.replace("s << t", "s << t << 0"),
                                   TEXT + SUM.replace("std::to_string", "toString") + MAKE + GO),
    "a function that nobody knows": ("string toString(int);", TEXT + SUM.replace("std::to_string", "toString") + MAKE + GO),
    "to_string of the file": ("string to_string(int n) { return \"7\"; }", TEXT + SUM.replace("std::", "") + MAKE + GO),
    "to_string that another text defines": ("string to_string(int n);", TEXT + SUM.replace("std::", "") + MAKE + GO),
    "a format that is cut off": ("", ARRAY.replace("256", "8") + FORMAT.replace(
        "sprintf(options,", "snprintf(options, 8,") + PLAIN + GO),
    "a text that is appended to": ("", TEXT + SUM + "options.append(argv[2]); " + MAKE + GO),
    "a text that is read": ("", TEXT + SUM + "std::cin >> options; " + MAKE + GO),
    "a text whose characters another holds": ("", TEXT + SUM + "strcpy((char *)options.c_str(), argv[2]); " + MAKE + GO),
    "a case that passes by": ("", TEXT + "switch (argc) { case 1: " + SUM + " case 2: " + MAKE + GO + " }"),
    "a kernel of an earlier run": (
        "static cl_kernel k; static int made;", TEXT + SUM + MAKE + "if (!made++) k = clCreateKernel(p, \"fill\", &err); "
        + GO.partition("; ")[2]),
    "a kernel that lives on": ("", TEXT + SUM + MAKE + GO.replace("cl_kernel k =", "static cl_kernel k =")),
    "a program that lives on": ("", TEXT + SUM + MAKE.replace("cl_program p =", "static cl_program p =") + GO),
    "a program of an earlier round": (
        "", TEXT + "cl_program p; for (int i = 0; i < 3; i++) { n += i; " + SUM + "if (i == 0) { "
        + MAKE.replace("cl_program ", "") + " } " + GO + " }"),
    "a text that lives on in its caller": (RUN + " string all; void other() { all = \"-DQ=1\"; }", "run(all, n);"),
    "a text that lives on": ("", "static " + TEXT + SUM + "wait(); " + MAKE + GO),
    "a text that is emptied behind it": ("", TEXT + SUM + 'options = ""; ' + MAKE + GO),
    "a text that is emptied in a branch": ("", TEXT + SUM + 'if (argc > 2) { options = ""; } ' + MAKE + GO),
    "a format that writes over it": ("", ARRAY + FORMAT + 'sprintf(options, "-DQ=1"); ' + PLAIN + GO),
    "a statement in a condition": ("", TEXT + "if (argc) " + SUM + MAKE + GO),
    "a lambda that writes over it": ("", TEXT + 'auto put = [&] { options = "-DM=1 "; }; ' + SUM + "put(); " + MAKE + GO),
    "a lambda that formats over it": (
        "", ARRAY + 'auto put = [&] { sprintf(options, "-DM=1"); }; ' + FORMAT + "put(); " + PLAIN + GO),
    "a format behind a comma": ("", ARRAY + 'sprintf(options, "-DN=%d ", n), sprintf(options, "-DM=1");' + PLAIN + GO),
    "no blank before": ("", TEXT.replace("E ", "E=3") + SUM.replace("-DM=3 ", "") + MAKE + GO),
    "no blank before in the sum": ("", TEXT + SUM.replace("-DM=3 ", '-DM=" + std::to_string(argc) + "') + MAKE + GO),
    "no blank before in a piece": ("", TEXT + SUM.replace("-DM=3 ", '-DM=3" + string("') + MAKE + GO),
    "no blank before in what is given": (RUN.replace("-DM=3 ", ""), 'string options = "-DM="; run(options, n);'),
    "no blank before a format": ("", ARRAY + 'sprintf(options, "-DM=%d", argc); sprintf(options + strlen(options), "-DN=%d ", n);'
                                 + PLAIN + GO),
    "an option that takes the next word": ("", TEXT + SUM.replace("-DM=3 ", "-I ") + MAKE + GO),
    "an option that takes the next piece": ("", TEXT + 'options += "-D "; ' + SUM.replace("-DM=3 ", "") + MAKE + GO),
    "a quoted option": ("", ARRAY + 'sprintf(options, "-DQ=\\" -DN=%d \\"", n);' + PLAIN + GO),
    "a letter that is spelled otherwise": ("", TEXT + SUM + 'options += "-D\\116=5 "; ' + MAKE + GO),
    "a raw string": ("", TEXT + SUM + 'options += R"(-DN=5 )"; ' + MAKE + GO),
    "a format of another sign": ("", ARRAY + 'long m = -(long)n; sprintf(options, "-DN=%lu ", m);' + PLAIN
                                 + GO.replace("g = n", "g = m")),
    "a format of half the bits": ("", ARRAY + 'size_t m = atol(argv[1]); sprintf(options, "-DN=%d ", m);' + PLAIN
                                  + GO.replace("g = n", "g = m")),
    "a character that is shown": (SHOW, TEXT + "unsigned char m = n; " + SUM.replace("std::to_string(n)", "toString(m)") + MAKE
                                  + GO.replace("g = n", "g = m")),
    "a type that nobody knows": (SHOW, TEXT + "number m = n; " + SUM.replace("std::to_string(n)", "toString(m)") + MAKE
                                 + GO.replace("g = n", "g = m")),
    "a lambda": ("", TEXT + "auto put = [&](int n) { " + SUM + " }; put(argc); " + MAKE + GO),
}


def launches(folder: Path, before: str, body: str) -> list[HostLaunch]:
    path = folder / "host.cpp"
    path.write_text(HOST % (before, body))
    return [each for each in find_launches(preprocess(str(path), "c++", side="host")) if each.kernel == "fill"]


def size_of(launch: HostLaunch, name: str) -> object:
    """What an option certainly is: the text of the global size says the same."""
    at = launch.options.index(name) if name in launch.options else -1
    return None if at < 0 else launch.args[at] if launch.args[at] is not None else launch.given[at]


@pytest.mark.parametrize("name", READ)
def test_an_option_that_is_the_size_is_tied_to_it(tmp_path: Path, name: str) -> None:
    for each in (found := launches(tmp_path, *READ[name])):
        assert each.grid[0] == f"{size_of(each, 'N')} / 64" or each.grid[0] == f"({size_of(each, 'N')}) / 64"
    assert found


@pytest.mark.parametrize("name", NOT_TIED)
def test_an_option_that_may_be_another_is_not(tmp_path: Path, name: str) -> None:
    for each in launches(tmp_path, *NOT_TIED[name]):
        said = size_of(each, "N")
        assert said is None or each.grid[0] not in (f"{said} / 64", f"({said}) / 64")


@pytest.mark.parametrize("pair, verdict", [(READ["a sum"], "proved"), (READ["a format"], "proved"),
                                           (NOT_TIED["another value"], "refuted"), (NOT_TIED["a digit behind"], "unknown"),
                                           (NOT_TIED["a program that is built before"], "unknown")])
def test_the_kernel_is_asked_about_with_the_option(run: Run, tmp_path: Path, pair: tuple[str, str], verdict: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL)
    (tmp_path / "host.cpp").write_text(HOST % (pair[0], 'load("fill.cl"); ' + pair[1]))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert record["verdict"] == verdict, record["reason"]
    assert record["launch"]["source"].startswith("host code")


ASKING = "#ifndef N\n#define N 64\n#endif\n"
WITHOUT = "compiled without -DN, which "
ASKED = {
    "the size, which the text may leave open": (ASKING, READ["a sum"], "proved", ANY_NUMBER),
    "another value": (ASKING, NOT_TIED["another value"], "refuted", ANY_NUMBER),
    "a text that is emptied behind it": (ASKING, NOT_TIED["a text that is emptied behind it"], "refuted", WITHOUT),
    "defined in a condition": (ASKING.replace("#ifndef N", "#if !defined(N)"), READ["a format"], "proved", ANY_NUMBER),
    "a value in a condition": (ASKING.replace("#ifndef N", "#if !defined(N) || N < 3"), READ["a sum"], "refuted", WITHOUT),
    "passed in some builds": (ASKING, NOT_TIED["a text in a branch alone"], "refuted", WITHOUT),
    "no number": (ASKING, ("", ARRAY + 'sprintf(options, "-DN=%s ", argv[2]);' + PLAIN + GO), "refuted", WITHOUT),
    "a choice": (ASKING, ("", TEXT + 'options += argc > 2 ? "-DN=32 " : "-DQ=1 ";' + MAKE + GO), "refuted", WITHOUT),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_condition_of_the_program_asks_about_its_options(run: Run, tmp_path: Path, name: str) -> None:
    """A macro that a text has a value of its own for, where its host passes none: it never is that value without a word."""
    asking, host, verdict, said = ASKED[name]
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(asking + KERNEL)
    (tmp_path / "host.cpp").write_text(HOST % (host[0], 'load("fill.cl"); ' + host[1]))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert record["verdict"] == verdict and any(said in each for each in record["assumptions"]), record["assumptions"]


PASTED = "#define C(a, b) a##b\n#define X(a, b) C(a, b)\n"
AS_TEXT = "#define S(a) #a\n#define X(a) S(a)\n"


@pytest.mark.parametrize("asking", ["", ASKING])
@pytest.mark.parametrize("body, verdict", [
    (PASTED + KERNEL.replace("for", "int v64 = 64, vN = 64; for").replace("* N", "* X(v, N)"), WITHOUT),
    (AS_TEXT + KERNEL.replace("for", "__constant char *s = X(N); for"), WITHOUT),
    (KERNEL, ANY_NUMBER)])
def test_a_number_that_becomes_a_part_of_a_word_is_not_any(run: Run, tmp_path: Path, asking: str, body: str,
                                                           verdict: str) -> None:
    """`vN` is not what the value makes of it: the text is told to be compiled without the option."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(asking + body)
    (tmp_path / "host.cpp").write_text(HOST % ("", 'load("fill.cl"); ' + "".join(READ["a sum"])))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert any(verdict in each for each in record["assumptions"]) or record["verdict"] in ("invalid", "unsupported"), record


def test_an_array_of_as_many_elements_is_refused(run: Run, tmp_path: Path) -> None:
    """That a text has a size of its own for it says nothing of what its host passes."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(ASKING + KERNEL.replace("{", "{ __local float s[N]; s[get_local_id(0)] = 1;", 1))
    (tmp_path / "host.cpp").write_text(HOST % ("", 'load("fill.cl"); ' + "".join(READ["a format"])))
    asked = run("check", tmp_path / "fill.cl", "--format", "jsonl")
    (record,) = asked.records
    assert record["verdict"] == "unsupported" and "for example -D N=1" in record["reason"]
    (record,) = run("check", tmp_path / "fill.cl", "-D", "N=64", "--format", "jsonl").records
    assert record["verdict"] == "refuted" and record["launch"]["source"].startswith("host code")


def test_a_product_is_named_by_its_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL)
    body = TEXT + "int m = n * n; " + SUM.replace("(n)", "(m)") + MAKE + GO.replace("g = n", "g = m")
    (tmp_path / "host.cpp").write_text(HOST % ("", 'load("fill.cl"); ' + body))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["launch"]["grid"][0] == "N / 64"
