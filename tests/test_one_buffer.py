"""One buffer for two pointer parameters: what the program passes, and what a user says of a launch."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
HEAD = """typedef int size;
template <class T> struct vector { T *p; T *data(); };
struct Pair { float *a, *b; };
namespace thrust { template <class T> T *raw_pointer_cast(T *p) { return p; } }
float *next();
"""
SHIFT = """__global__ void shift(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1];
}
"""
SCALE = SHIFT.replace("in[i + 1]", "in[i] * 2")
DOT = """__global__ void square(float *out, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[n - 1 - i];
}
"""


def program(kernel: str, call: str, before: str = "float *d, *e;") -> str:
    return HEAD + kernel + f"void go(Pair s, Pair *q, float **bufs, vector<float> v, int i) {{\n  {before}\n  {call};\n}}\n"


@pytest.mark.parametrize("args", [
    "d, d", "d, (const float *)d", "(d), d", "static_cast<float *>(d), d", "s.a, s.a", "q->a, q->a", "bufs[i], bufs[i]",
    "*bufs, *bufs",
    "thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(v.data())", "v.data(), (float *)v.data()", "&d[0], &d[0]",
])
def test_the_program_passes_one_buffer(run: Run, kernel_file: Write, args: str) -> None:
    ran = run("check", kernel_file(program(SHIFT, f"shift<<<4, 64>>>({args}, 250)")), "--format", "jsonl")
    (record,) = ran.records
    assert record["verdict"] == "refuted" and record["launch"]["aliases"] == [["out", "in"]]
    assert record["findings"][0]["rule"] == "race" and "out, in are one buffer" in record["assumptions"]
    assert record["beyond"]["verdict"] == "proved"


@pytest.mark.parametrize("args", [
    "d, e", "s.a, s.b", "s.a, q->a", "bufs[i], bufs[i + 1]", "next(), next()", "bufs[i++], bufs[i++]", "nullptr, nullptr", "0, 0",
    "bufs[0], bufs[1]", "d + 1, d + 2", "(d = e), (d = e)",
])
def test_what_may_be_two_buffers_is_not_taken_for_one(run: Run, kernel_file: Write, args: str) -> None:
    (record,) = run("check", kernel_file(program(SHIFT, f"shift<<<4, 64>>>({args}, 250)")), "--format", "jsonl").records
    assert record["verdict"] == "proved" and "out, in do not overlap" in record["assumptions"]


@pytest.mark.parametrize(("body", "verdict"), [
    ("return at;", "refuted"), ("return (float *)held.data();", "refuted"), ("float *p = at; at += 4096; return p;", "proved"),
    ("return at + used++;", "proved"), ("return take(4096);", "proved")])
def test_functions_that_give_memory(run: Run, kernel_file: Write, body: str, verdict: str) -> None:
    """What an arena gives is new memory each time."""
    arena = f"struct Arena {{ float *at; int used; vector<char> held; float *take(int); float *get() {{ {body} }} }};\n"
    before = "Arena arena = {};"
    text = program(arena + SHIFT, "shift<<<4, 64>>>(arena.get(), arena.get(), 250)", before)
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def test_in_place_is_fine_where_each_thread_has_its_own_cell(run: Run, kernel_file: Write) -> None:
    (record,) = run("check", kernel_file(program(SCALE, "shift<<<4, 64>>>(d, d, 250)")), "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["scope"].startswith("all sizes")
    assert any("one buffer for out, in (host code, line 12) it is proved as well" in text for text in record["assumptions"])


def test_only_the_launch_with_one_buffer_is_refuted(run: Run, kernel_file: Write) -> None:
    calls = "shift<<<4, 64>>>(d, e, 250); shift<<<4, 64>>>(d, d, 250)"
    found = run("check", kernel_file(program(SHIFT, calls)), "--format", "jsonl").records
    assert [record["verdict"] for record in found] == ["refuted"]


def test_buffers_that_nobody_writes_may_be_one(run: Run, kernel_file: Write) -> None:
    (record,) = run("check", kernel_file(program(DOT, "square<<<4, 64>>>(d, e, e, 250)")), "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["scope"].startswith("all sizes")
    (record,) = run("check", kernel_file(program(DOT, "square<<<4, 64>>>(d, e, d, 250)")), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_restrict_is_told_where_it_is_broken(run: Run, kernel_file: Write) -> None:
    kernel = SHIFT.replace("float *out, const float *in", "float *__restrict__ out, const float *__restrict__ in")
    (record,) = run("check", kernel_file(program(kernel, "shift<<<4, 64>>>(d, d, 250)")), "--format", "jsonl").records
    assert record["verdict"] == "refuted" and any("__restrict__ promises" in text for text in record["assumptions"])


def test_elements_of_unlike_types_are_not_followed(run: Run, kernel_file: Write) -> None:
    kernel = SCALE.replace("const float *in", "const int *in")
    path = kernel_file(program(kernel, "shift<<<4, 64>>>(d, (const int *)d, 250)"))
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown" and "one buffer for 'out', whose elements are float, and 'in'" in record["reason"]


FIELDS = """struct Body { float x, y; };
__global__ void move(Body *now, const Body *then, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) now[i].x = then[i + 1].FIELD;
}
"""


@pytest.mark.parametrize(("field", "verdict"), [("x", "refuted"), ("y", "proved")])
def test_fields_of_records(run: Run, kernel_file: Write, field: str, verdict: str) -> None:
    text = program(FIELDS.replace("FIELD", field), "move<<<4, 64>>>(m, m, 250)", "Body *m;")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def test_flags_comments_settings_and_records_say_it(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    path = kernel_file(SHIFT)
    assert run("check", path).status == 0
    assert run("check", path, "--alias", "out,in").status == 1
    assert run("check", path, "--alias", "out,in", "--block", "32", "--grid", "1").status == 1
    assert run("check", kernel_file("// spmd: block=32 grid=2 alias=out,in\n" + SHIFT)).status == 1
    launches = tmp_path / "launches.jsonl"
    said = {"file": str(kernel_file(SHIFT)), "block": [32], "grid": [2], "aliases": [["out", "in"]]}
    launches.write_text(json.dumps(said))
    (record,) = run("check", "--launches", launches, "--format", "jsonl").records
    assert record["verdict"] == "refuted" and record["launch"]["aliases"] == [["out", "in"]]
    (tmp_path / "spmd.toml").write_text("[[kernel]]\nlaunches = { block = '32', grid = '2', alias = ['out,in'] }\n")
    assert run("check", kernel_file(SHIFT)).status == 1


@pytest.mark.parametrize(("flag", "message"), [
    ("out,wrong", "'wrong' of kernel 'shift' is said to be one buffer with others"),
    ("out", "give two or more pointer parameters"),
    ("out,n", "'n' of kernel 'shift' is said to be one buffer with others"), ("out,out", "give two or more pointer parameters")])
def test_wrong_names_are_told(run: Run, kernel_file: Write, flag: str, message: str) -> None:
    ran = run("check", kernel_file(SHIFT), "--alias", flag)
    assert ran.status == 2 and message in ran.out + ran.err


def test_a_run_has_one_array(run: Run, kernel_file: Write) -> None:
    path = kernel_file("// spmd: block=8 grid=1 n=8 alias=out,in\n" + SHIFT)
    ran = run("run", path, "--array", "out=iota")
    assert ran.status == 1 and "race" in ran.out


TWICE = """// spmd: block=32 grid=2 n=50{alias}
__global__ void twice(float *out, const float *in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ {before} out[i] = in[i] * 2; }}
}}
"""


@pytest.mark.parametrize(("alias", "verdict"), [("", "equal"), (" alias=out,in", "different")])
def test_pairs_in_place(run: Run, kernel_file: Write, alias: str, verdict: str) -> None:
    """Setting the output first makes a difference where it is the input."""
    one = kernel_file(TWICE.format(alias=alias, before=""), "one.cu")
    two = kernel_file(TWICE.format(alias=alias, before="out[i] = 0;"), "two.cu")
    (record,) = run("equiv", one, two, "--format", "jsonl").records
    assert record["verdict"] == verdict, record


PLUS = """__global__ void plus(float *out, const float *in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ {before} out[i] = in[i] + 1; }}
}}
"""
GO = "void go(float *d, float *e) {{ plus<<<2, 32>>>({}, 50); }}\n"


@pytest.mark.parametrize(("calls", "verdict"), [
    (("d, e", "d, e"), "equal"), (("d, d", "d, d"), "different"), (("d, d", ""), "different"), (("", "d, d"), "different"),
    (("d, d", "d, e"), "invalid"), (("", ""), "equal")])
def test_pairs_are_compared_in_the_buffers_of_the_program(run: Run, kernel_file: Write, calls: tuple[str, str],
                                                          verdict: str) -> None:
    sides = [PLUS.format(before=before) + (GO.format(call) if call else "") for before, call in zip(("", "out[i] = 0;"), calls,
                                                                                                   strict=True)]
    files = [kernel_file(text, f"{number}.cu") for number, text in enumerate(sides)]
    (record,) = run("equiv", *files, "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def test_the_launch_in_place_is_the_last_of_many(run: Run, kernel_file: Write) -> None:
    """What holds of the others, or of all sizes where buffers do not overlap, says nothing of it."""
    calls = "".join(f"plus<<<{number}, 32>>>(d, e, {32 * number}); " for number in range(1, 7))
    go = f"void go(float *d, float *e) {{ {calls} plus<<<7, 32>>>(d, d, 224); }}\n"
    files = [kernel_file(PLUS.format(before=before) + go, f"{number}.cu") for number, before in enumerate(("", "out[i] = 0;"))]
    (record,) = run("equiv", *files, "--format", "jsonl").records
    assert record["verdict"] == "different", record


def test_a_side_that_nothing_launches_has_other_names(run: Run, kernel_file: Write) -> None:
    one = kernel_file(PLUS.format(before="") + GO.format("d, d"), "one.cu")
    two = kernel_file(PLUS.format(before="").replace("*in,", "*from,").replace("in[i]", "from[i]"), "two.cu")
    for names in ((), ("--map", "in=from")):
        (record,) = run("equiv", one, two, *names, "--format", "jsonl").records
        assert record["verdict"] == "equal" and "out, in are one buffer" in str(record["assumptions"]), record


@pytest.mark.parametrize(("flags", "verdict"), [
    ((), "equal"), (("--alias", "out,in"), "different"), (("--alias", "out,in", "--block", "32", "--grid", "2", "--arg", "n=50"),
                                                         "different"), (("--alias", "out,from"), "invalid")])
def test_a_pair_is_said_to_work_in_place(run: Run, kernel_file: Write, flags: tuple[str, ...], verdict: str) -> None:
    one = kernel_file(PLUS.format(before=""), "one.cu")
    for number, text in enumerate((PLUS, PLUS.replace("*in,", "*from,").replace("in[i]", "from[i]"))):
        two = kernel_file(text.format(before="out[i] = 0;"), "two.cu")
        names = ("--map", "in=from") if number else ()
        (record,) = run("equiv", one, two, *flags, *names, "--format", "jsonl").records
        assert record["verdict"] == verdict, record
