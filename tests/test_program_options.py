"""What host code passes to the compiler of an OpenCL program: options that every build has are taken, others are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.program_options import options_of

KERNEL = """__kernel void fill(__global int *a, int n) {
  __local int s[SIZE];
  int i = get_global_id(0);
  s[get_local_id(0)] = i;
  %s
  if (i < n) a[i] = s[SIZE - 1 - get_local_id(0)];
}
"""
HOST = """#include "sizes.h"
#define SIZE 32 // lanes
static const int ROUNDS = 2 * 4;
enum {{ UNUSED }};
void build(cl_program program, int wide) {{
  {}
  clBuildProgram(program, 1, &device, options, 0, 0);
}}
void create(void) {{ load("kernels/fill.cl"); }}
"""


def _tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".git").mkdir()
    return folder / "kernels/fill.cl"


def _written(folder: Path, written: str, host: str = HOST) -> Path:
    return _tree(folder, {"kernels/fill.cl": KERNEL % "barrier(CLK_LOCAL_MEM_FENCE);", "src/sizes.h": "#define DEPTH (3 + 1)\n",
                          "src/host.c": host.format(written)})


def _record(run: Run, path: Path, *flags: str) -> dict[str, Any]:
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    return record


TAKEN = {
    "a plain one": ('const char *options = "-DSIZE=32 -cl-fast-relaxed-math";', {"SIZE": "32"}),
    "a blank behind the letter": ('const char *options = "-D SIZE=32 -D WIDE";', {"SIZE": "32", "WIDE": "1"}),
    "strings side by side": ('const char *options = "-DSIZE=32"\n /* and */ " -DMORE=0x10";', {"SIZE": "32", "MORE": "0x10"}),
    "a format": ('sprintf(options, "-I%s -DSIZE=%d -DROUNDS=%u", folder, SIZE, ROUNDS + 1);', {"SIZE": "32", "ROUNDS": "9"}),
    "a format with a size": ('snprintf(options, sizeof(options), "%d%% -DSIZE=%zu", 3, DEPTH * 8);', {"SIZE": "32"}),
    "a sum": ('std::string options = std::string("-DSIZE=") + std::to_string(SIZE) + " -DX";', {"SIZE": "32", "X": "1"}),
    "a sum of strings": ('std::string options = std::string("-DSIZE=32") + " -DX" + std::string(" -w");',
                         {"SIZE": "32", "X": "1"}),
    "a stream": ('stream << "-DSIZE=" << SIZE << " -DDEPTH=" << DEPTH; options = stream.str();', {"SIZE": "32", "DEPTH": "4"}),
    "the block of the build itself": (
        'if (wide) { sprintf(options, "-DSIZE=%d", 32); clBuildProgram(program, 1, &device, options, 0, 0); }', {"SIZE": "32"}),
}
LEFT_OUT = {
    "a branch": 'if (wide) { strcat(options, "-DSIZE=32"); }',
    "a branch without braces": 'if (wide) strcat(options, "-DSIZE=32");',
    "the other branch": 'if (!wide) x = 1; else strcat(options, "-DSIZE=32");',
    "a case": 'switch (wide) { case 1: strcat(options, "-DSIZE=32"); }',
    "a loop": 'for (int i = 0; i < wide; i++) strcat(options, "-DSIZE=32");',
    "a choice": 'options = wide ? "-DSIZE=32" : "";',
    "two values": 'a = "-DSIZE=32"; b = "-DSIZE=16";',
    "a value that is computed": 'sprintf(options, "-DSIZE=%d", wide);',
    "a name that nobody gives one value": 'sprintf(options, "-DSIZE=%d", OTHER);',
    "a text": 'sprintf(options, "-DSIZE=%s", "32");',
    "a float": 'sprintf(options, "-DSIZE=%f", 32);',
    "a part of a value": 'sprintf(options, "-DSIZE=(%d+1)", SIZE);',
    "behind a directive": 'strcat(options, "-DX=1"\n#if 1\n" -DSIZE=32"\n#endif\n);',
    "a comment": '/* "-DSIZE=32" */ // "-DSIZE=32"',
    "undefined again": 'options = "-DSIZE=32 -USIZE";',
    "undefined by another string": 'options = "-DSIZE=32 "; options += "-USIZE";',
    "a value that goes on": 'options = std::string("-DSIZE=3") + std::to_string(wide);',
    "a value that another string goes on": 'options = std::string("-DSIZE=3") + "2";',
    "a name that goes on": 'options = std::string("-DSIZE") + name;',
}


@pytest.mark.parametrize("name", TAKEN)
def test_options_that_every_build_has(tmp_path: Path, name: str) -> None:
    written, wanted = TAKEN[name]
    passed = options_of(str(_written(tmp_path, written)), None)
    assert passed is not None and passed.flags.defines == wanted


@pytest.mark.parametrize("name", LEFT_OUT)
def test_options_that_some_builds_lack(tmp_path: Path, name: str) -> None:
    passed = options_of(str(_written(tmp_path, LEFT_OUT[name])), None)
    assert passed is None or "SIZE" not in passed.flags.defines


def test_of_two_definitions_none_is_taken(tmp_path: Path) -> None:
    host = "#ifdef SMALL\n#define SIZE 16\n#else\n" + HOST + "\n#endif\n"
    path = _written(tmp_path, 'sprintf(options, "-DSIZE=%d", SIZE);', host)
    passed = options_of(str(path), None)
    assert passed is not None and passed.flags.defines == {} and "SIZE" in passed.open


@pytest.mark.parametrize("between, verdict", [("barrier(CLK_LOCAL_MEM_FENCE);", "proved"), ("", "refuted")])
def test_a_kernel_is_read_as_its_host_builds_it(run: Run, tmp_path: Path, between: str, verdict: str) -> None:
    path = _written(tmp_path, TAKEN["a format"][0])
    path.write_text(KERNEL % between)
    record = _record(run, path, "--block", "32", "--grid", "2")
    assert record["verdict"] == verdict
    assert any("host.c says: -DSIZE=32 -DROUNDS=9" in text for text in record["assumptions"])
    assert _record(run, path, "-D", "SIZE=16", "--block", "32", "--grid", "2")["verdict"] == "refuted"


def test_a_macro_that_the_host_computes_is_named(run: Run, tmp_path: Path) -> None:
    path = _written(tmp_path, LEFT_OUT["a value that is computed"])
    record = _record(run, path)
    assert record["verdict"] == "invalid"
    assert record["reason"].endswith(
        "host.c:6 passes it to the program, with a value that is not known here: state one, for example -D SIZE=1")
    assert _record(run, path, "-D", "SIZE=32", "--block", "32", "--grid", "2")["verdict"] == "proved"


def test_a_macro_that_need_not_be_a_number_is_named(run: Run, tmp_path: Path) -> None:
    path = _written(tmp_path, 'std::string options = std::string("-DSIZE=") + size_of(kind);')
    assert _record(run, path)["reason"].endswith(
        "host.c:6 passes it to the program, with a value that is not known here: state one with -D SIZE=…")


def test_a_host_that_names_a_kernel_alone(tmp_path: Path) -> None:
    host = HOST.replace('load("kernels/fill.cl")', 'clCreateKernel(program, "fill", 0)')
    path = _written(tmp_path, TAKEN["a plain one"][0], host)
    passed = options_of(str(path), None)
    assert passed is not None and passed.flags.defines == {"SIZE": "32"}
    assert options_of(str(path), str(path.parent)) is None


def test_a_host_of_another_program(tmp_path: Path) -> None:
    host = HOST.replace("kernels/fill.cl", "kernels/refill.cl")
    assert options_of(str(_written(tmp_path, TAKEN["a plain one"][0], host)), None) is None


QUOTED = [
    'R"(\n{}\n)"', '// A program.\n/* more */\nR"cl(\n{}\n)cl";\n// the end\n', 'R"(\n{}\n)"\n// and on\nR"(\n// the rest\n)"\n']


@pytest.mark.parametrize("name", ["fill.cl", "fill.opencl"])
@pytest.mark.parametrize("quotes", QUOTED)
def test_a_program_that_is_a_string_of_the_host(run: Run, tmp_path: Path, quotes: str, name: str) -> None:
    for between, verdict in (("barrier(CLK_LOCAL_MEM_FENCE);", "proved"), ("", "refuted")):
        (tmp_path / name).write_text(quotes.format(KERNEL % between))
        record = _record(run, tmp_path / name, "-D", "SIZE=32", "--block", "32", "--grid", "2")
        assert record["verdict"] == verdict
        assert all(place["line"] > 1 for finding in record["findings"] for place in finding["places"])


@pytest.mark.parametrize("text", ['R"({})" "more"', 'const char *source = R"({})";', 'R"a({})b"', 'R"({})" + R"()"'])
def test_a_text_that_is_more_than_a_string(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "fill.cl").write_text(text.format(KERNEL % ""))
    assert run("check", tmp_path / "fill.cl", "-D", "SIZE=32", "--block", "32", "--grid", "2").status == 2


def test_a_kernel_that_conditions_leave_out(run: Run, tmp_path: Path) -> None:
    guard = "#ifndef FILL_CL\n#define FILL_CL\n#ifdef SIZE\n#if defined(FAST) //\n#else\n#if WIDTH > 3\n{}\n" + 4 * "#endif\n"
    path = tmp_path / "fill.cl"
    path.write_text(guard.format(KERNEL % "barrier(CLK_LOCAL_MEM_FENCE);"))
    record = _record(run, path, "--kernel", "fill")
    assert record["reason"].endswith(
        "'fill' stands under #ifdef SIZE (line 3), #else (line 5), #if WIDTH > 3 (line 6); "
        "state what they ask for, for example -D SIZE=1")
    flags = ["-D", "SIZE=32", "-D", "WIDTH=4", "--block", "32", "--grid", "2"]
    assert _record(run, path, "--kernel", "fill", *flags)["verdict"] == "proved"
    record = _record(run, path, "--kernel", "full")
    assert "stands under" not in record["reason"]


SWITCH = "#ifdef WITH_FILL{}\n__global__ void fill(int *x) {{ x[threadIdx.x] = {}; }}\n#endif\n"


@pytest.mark.parametrize("word, value, verdict", [
    ("", "1", "proved"), (" // a switch of the build", "1", "proved"), ("", "WITH_FILL", "invalid"),
    ("\n#if LEVEL > 2", "1;}\n#endif\nvoid g() {", "invalid"), ("\n#if defined(FAST)", "1;}\n#endif\nvoid g() {", "proved"),
    ("\n#else\n#ifdef MORE", "1;}\n#endif\nvoid g() {", "invalid")])
def test_a_kernel_that_a_switch_leaves_out_is_read_with_it(run: Run, tmp_path: Path, word: str, value: str, verdict: str) -> None:
    """Whoever asks for it by name means a build that has it; not if the macro's value counts, or for another condition."""
    path = tmp_path / "fill.cu"
    path.write_text(SWITCH.format(word, value))
    record = _record(run, path, "--kernel", "fill", "--grid", "1")
    assert record["verdict"] == verdict, record
    assert verdict != "proved" or any("compiled with -D WITH_FILL=1" in text for text in record["assumptions"])
    assert _record(run, path, "--grid", "1")["verdict"] == "invalid"
    path.write_text(SWITCH.format("", "threadIdx.x; x[0] = 7"))
    assert _record(run, path, "--kernel", "fill", "--grid", "1")["verdict"] == "refuted"


def test_an_error_directive_about_what_the_host_computes(run: Run, tmp_path: Path) -> None:
    path = _written(tmp_path, LEFT_OUT["a value that is computed"])
    path.write_text("#ifndef SIZE\n#error SIZE undefined!\n#endif\n" + path.read_text())
    assert "host.c:6 passes it to the program" in _record(run, path)["reason"]
    assert _record(run, path, "-D", "SIZE=32", "--block", "32", "--grid", "2")["verdict"] == "proved"


BUILDS = {
    "the first branch": 'if (wide) strcat(options, "-DSIZE=32"); else strcat(options, "-DSIZE=16");',
    "a macro of the default build": 'sprintf(options, "-DSIZE=%d", CHOSEN);',
    "a macro that is undefined else": '#ifdef CHOSEN\nsprintf(options, "-DSIZE=%d", CHOSEN);\n#endif',
}
CHOSEN = "#ifdef SMALL\n#define CHOSEN 16\n#else\n#define CHOSEN 32\n#endif\n"


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.parametrize("between, verdict", [("barrier(CLK_LOCAL_MEM_FENCE);", "proved"), ("", "refuted")])
def test_what_cannot_be_read_as_every_build_is_read_as_one(
        run: Run, tmp_path: Path, name: str, between: str, verdict: str) -> None:
    path = _written(tmp_path, BUILDS[name], CHOSEN + HOST)
    path.write_text(KERNEL % between)
    record = _record(run, path, "--block", "32", "--grid", "2")
    assert record["verdict"] == verdict
    assert any("host.c says: -DSIZE=32; other builds may pass others" in text for text in record["assumptions"])


ROWS = """__kernel void rows(__global int *a, __global int *b) {
  int i = get_global_id(0);
  if (i < COUNT) a[i] = b[i + %s];
}
"""


@pytest.mark.parametrize("written", ['sprintf(options, "-DCOUNT=%d", wide);',
                                     'stream << "-DCOUNT=" << wide; options = stream.str();',
                                     'options = std::string("-DCOUNT=") + std::to_string(wide);'])
def test_an_integer_that_the_host_computes_is_any(run: Run, tmp_path: Path, written: str) -> None:
    path = _written(tmp_path, written, HOST.replace("fill", "rows"))
    path = path.rename(path.with_name("rows.cl"))
    for more, verdict in (("COUNT", "proved"), ("0; a[COUNT / 2] = i", "refuted")):
        path.write_text(ROWS.replace("b[i + %s]", f"b[i] + {more}"))
        record = _record(run, path)
        assert record["verdict"] == verdict
        assert any("COUNT, which the host computes" in text and "any int from 0 on" in text for text in record["assumptions"])


@pytest.mark.parametrize("kernel", ["#if COUNT > 4\n" + ROWS % "COUNT" + "#endif\n",
                                    ROWS % "0" + "__constant int t[COUNT] = {0};\n",
                                    ROWS.replace("int i", "int t[COUNT]; int i") % "0"])
def test_an_integer_that_the_text_asks_about_is_stated(run: Run, tmp_path: Path, kernel: str) -> None:
    path = _written(tmp_path, 'sprintf(options, "-DCOUNT=%d", wide);', HOST.replace("fill", "rows"))
    path = path.rename(path.with_name("rows.cl"))
    path.write_text(kernel)
    assert _record(run, path)["verdict"] in ("invalid", "unsupported")


def test_a_float_that_the_host_computes_is_no_integer(run: Run, tmp_path: Path) -> None:
    host = HOST.replace("fill", "rows").replace("int wide", "float wide")
    path = _written(tmp_path, 'stream << "-DCOUNT=" << wide; options = stream.str();', host)
    path = path.rename(path.with_name("rows.cl"))
    path.write_text(ROWS % "0")
    assert _record(run, path)["verdict"] == "invalid"
