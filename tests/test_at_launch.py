"""Equality at a launch: symbols, sequences, relations, traps that fool comparisons of numbers, pairs once called equal."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

NEVER = sorted(path.parent for path in (Path(__file__).parent / "never_equal").glob("*/a.cu"))
HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def kernel(launch: str, parameters: str, body: str) -> str:
    return f"// spmd: {launch}\n__global__ void k({parameters}) {{ {HEAD} {body} }}\n"


@pytest.mark.parametrize("folder", NEVER, ids=lambda path: path.name)
def test_pair_once_called_equal_never_is(folder: Path, run: Run) -> None:
    record = run("equiv", folder / "a.cu", folder / "b.cu", "--format", "jsonl").records[0]
    assert record["verdict"] in ("different", "unknown", "nondeterministic"), record


FLOATS = "const float *x, const float *y, float *out, int n"
TRAPS = [
    ("zero_inputs_hide_it", FLOATS, "if (i < n) out[i] = x[i] + y[i];", "if (i < n) out[i] = x[i] - y[i];", "different", None),
    ("identity_weights_hide_it", FLOATS, "if (i < n) out[i] = x[i] * y[i];", "if (i < n) out[i] = x[i];", "different", None),
    ("stale_output", FLOATS, "if (i < n) out[i] = x[i];", "if (i < n && x[i] != 0.0f) out[i] = x[i];", "different", None),
    ("half_the_rows", FLOATS, "if (i < n) out[i] = x[i];", "if (i < n && i % 2 == 0) out[i] = x[i];", "different", None),
    ("integer_division_in_a_float", FLOATS, "if (i < n) out[i] = x[i] * (1.0f / 2);",
     "if (i < n) out[i] = x[i] * (1 / 2);", "different", None),
    ("tail_of_a_float4", FLOATS, "if (i < n) out[i] = x[i];",
     "if (i < n / 4) reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(x)[i];", "different", None),
    ("uninitialised_alike", FLOATS, "float v; if (i < n) out[i] = v;", "float v; if (i < n) out[i] = v;",
     "nondeterministic", None),
    ("minus_zero", FLOATS, "if (i < n) out[i] = x[i] + 0.0f;", "if (i < n) out[i] = x[i];", "equal", "real"),
    ("not_a_number", FLOATS, "if (i < n) out[i] = x[i] < y[i] ? x[i] : y[i];",
     "if (i < n) out[i] = !(y[i] <= x[i]) ? x[i] : y[i];", "equal", "real"),
    ("strict_or_not", FLOATS, "if (i < n) out[i] = x[i] < y[i] ? 1.0f : 2.0f;",
     "if (i < n) out[i] = x[i] <= y[i] ? 1.0f : 2.0f;", "different", None),
    ("relu", FLOATS, "if (i < n) out[i] = fmaxf(x[i], 0.0f);",
     "if (i < n) { float v = x[i]; if (v < 0.0f) v = 0.0f; out[i] = v; }", "equal", "real-exp-max"),
    ("left_early", FLOATS, "if (i >= n || x[i] < 0.0f) return; out[i] = sqrtf(x[i]);",
     "if (i < n) { float v = x[i]; if (!(v < 0.0f)) out[i] = sqrtf(v); }", "equal", "bitwise"),
    ("loop_left_by_data", FLOATS,
     "float s = 0; if (i < n) { for (int j = 0; j < 4; j++) { if (y[j] > x[i]) break; s += y[j]; } out[i] = s; }",
     "float s = 0; bool go = true; if (i < n) {"
     " for (int j = 0; j < 4; j++) { go = go && !(y[j] > x[i]); if (go) s += y[j]; } out[i] = s; }", "equal", "bitwise"),
]


@pytest.mark.parametrize(("parameters", "a", "b", "verdict", "kind"), [trap[1:] for trap in TRAPS],
                         ids=[trap[0] for trap in TRAPS])
def test_trap(compared: Any, parameters: str, a: str, b: str, verdict: str, kind: str | None) -> None:
    launch = "block=32 grid=2 n=50"
    record = compared(kernel(launch, parameters, a), kernel(launch, parameters, b))
    assert record["verdict"] == verdict, record.get("reason")
    assert record.get("class") == kind


def test_bitwise_mode_refuses_a_weaker_class(compared: Any) -> None:
    launch = "block=32 grid=2 n=50"
    a, b = (kernel(launch, FLOATS, f"if (i < n) out[i] = {value};") for value in ("x[i] + 0.0f", "x[i]"))
    record = compared(a, b, "--mode", "bitwise")
    assert record["verdict"] == "different"


STEPS = """// spmd: block=32 grid=2 n=50
__global__ void twice(const float *x, float *t, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) t[i] = x[i] * 2; }
// spmd: block=64 grid=1 n=50
__global__ void more(float *t, float *out, int n) { int i = threadIdx.x; if (i < n) out[i] = t[i] + 1; }
"""


def test_sequence_against_one_kernel(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.cu").write_text(kernel("block=10 grid=5 n=50", "const float *x, float *out, int n",
                                               "out[i] = x[i] * 2 + 1;"))
    (tmp_path / "two.cu").write_text(STEPS)
    one, two = tmp_path / "one.cu", tmp_path / "two.cu"
    record = run("equiv", one, f"{two}:twice;more", "--format", "jsonl").records[0]
    assert (record["verdict"], record["class"]) == ("equal", "bitwise")
    assert "scratch, not compared: t" in record["assumptions"]
    assert run("equiv", one, f"{two}:more;twice", "--format", "jsonl").records[0]["verdict"] == "different"


HALVES = "for (int j = 0; j < {size}; j++) s += x[i * {size} + j]; out[i] = s;"


def test_relation_among_outputs(compared: Any) -> None:
    a = kernel("block=4 grid=1 out[4]", "const float *x, float *out", "float s = 0; " + HALVES.format(size=8))
    b = kernel("block=2 grid=1 out[2]", "const float *x, float *out", "float s = 0; " + HALVES.format(size=16))
    assert compared(a, b, "--relate", "b.out[k] == a.out[2*k] + a.out[2*k+1]")["class"] == "real"
    record = compared(a, b, "--relate", "b.out[k] == a.out[2*k] + a.out[k]")
    assert record["verdict"] == "different" and record["counterexample"]["cell"] == 0


@pytest.mark.parametrize(("relation", "message"), [
    ("b.out[k] = a.out[k]", "write b.NAME[k] == EXPRESSION"), ("b.out[k] == a.out[k]**2", "neither an element"),
    ("b.out[k+1] == a.out[k]", "must be an element at k"), ("b.out[k] == a.out[9*k]", "outside its 4 elements"),
    ("b.out[k] == a.none[k]", "no global array 'none'"), ("b.out[k] == c.out[k]", "no element of a or b"),
    ("b.out[k] == a.out[k/0]", "divides by zero"), ("b.out[k] == 99999999999999999999", "a number below 2^31"),
    ("b.out[k] == a.out[99999999999999999999]", "is no index"), ("b.out[k] == a.x[k]", "state how many elements"),
    ("b.out[k] == a.out[__import__('os')]", "is no index"),
])
def test_relation_that_makes_no_sense(compared: Any, relation: str, message: str) -> None:
    text = kernel("block=4 grid=1 out[4]", "const float *x, float *out", "out[i] = x[i];")
    record = compared(text, text, "--relate", relation)
    assert record["verdict"] == "invalid" and message in record["reason"]


def test_all_lanes_read_one_element_that_is_outside(compared: Any) -> None:
    """Of an array that nobody writes: what symbols find there has their size, and the verdict is about the read."""
    bodies = [f"float s = 0; for (int j = 0; j < 3; j++) s += {value}; out[i] = s;" for value in ("x[j]", "2 * x[j]")]
    record = compared(*(kernel("block=4 grid=1 n=2 x[n] out[4]", "const float *x, float *out, int n", body) for body in bodies))
    assert record["verdict"] == "nondeterministic" and "out-of-bounds: read of x[2]" in record["reason"], record


def test_differing_bound_is_told(compared: Any) -> None:
    record = compared(*(kernel("block=4 grid=1", "const float *x, float *out", f"out[i] = x[i] * {factor};")
                        for factor in ("3", "2 + x[i]")))
    assert record["assurance"] == "probabilistic" and record["bound"].startswith("2^-")


def test_notes_say_where_floats_may_round_apart(run: Run) -> None:
    soft, trees = (ROOT / "case_studies" / name for name in ("softmax", "reduction"))
    record = run("equiv", soft / "original.cu", soft / "shifted.cu", "--format", "jsonl").records[0]
    assert any(note.startswith("a takes exponentials") for note in record["notes"])
    assert "notes" not in run("equiv", trees / "original.cu", trees / "strided.cu", "--format", "jsonl").records[0]


def test_integers_from_floats_are_noted(compared: Any) -> None:
    parameters = "const float *x, const float *y, int *out, int n"
    bodies = [f"if (i < n) out[i] = (int)({value});" for value in ("x[i] * y[i] + x[i]", "x[i] * (y[i] + 1.0f)")]
    record = compared(*(kernel("block=32 grid=2 n=50", parameters, body) for body in bodies))
    assert record["class"] == "real" and any("may change them" in note for note in record["notes"])


def test_saved_replay_is_a_program(run: Run, tmp_path: Path) -> None:
    """It holds both kernels, their inputs and launches; where nvcc is at hand, it compiles."""
    studies = ROOT / "case_studies" / "reduction"
    text = (studies / "shuffles.cu").read_text()
    (tmp_path / "b.cu").write_text(text.replace("blockDim.x / 32 ?", "blockDim.x / 32 - 1 ?"))
    result = run("equiv", studies / "original.cu", tmp_path / "b.cu", "--save-replay", tmp_path / "out")
    assert result.status == 1
    program = tmp_path / "out" / "replay.cu"
    for part in ("namespace side_a {",
                 "launch(side_b::sum, dim3(4, 1, 1), dim3(256, 1, 1), 0, in, out, (int)1000);", "int main()"):
        assert part in program.read_text()
    compiles(program)


def compiles(program: Path) -> None:
    """Whether nvcc takes a program, where there is one."""
    compiler = shutil.which("nvcc")
    if compiler is not None:
        done = subprocess.run([compiler, "-o", program.with_suffix(""), program], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


TABLE = """// spmd: block=4 grid=1 x[8] out[4]
__constant__ float factors[2];
extern "C" __global__ void k(const float2 *x, long long *out) {
  out[threadIdx.x] = (long long)(x[threadIdx.x].x * factors[1]);
}
"""


def test_replay_casts_arguments_and_fills_variables_of_the_file(run: Run, tmp_path: Path) -> None:
    for name, text in (("a", TABLE), ("b", TABLE.replace("factors[1]", "factors[0]"))):
        (tmp_path / f"{name}.cu").write_text(text)
    assert run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--save-replay", tmp_path).status == 1
    assert "cudaMemcpyToSymbol(side_b::factors, factors, sizeof start_factors);" in (tmp_path / "replay.cu").read_text()
    compiles(tmp_path / "replay.cu")


def test_replay_refuses_structures_and_relations_by_name(run: Run, tmp_path: Path) -> None:
    text = """// spmd: block=4 grid=1 x[4] out[4]
struct Pair { float u; int v; };
__global__ void k(const Pair *x, float *out) { out[threadIdx.x] = x[threadIdx.x].u; }
"""
    for name, changed in (("a", text), ("b", text.replace(".u", ".v"))):
        (tmp_path / f"{name}.cu").write_text(changed)
    result = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--save-replay", tmp_path)
    assert result.status == 1 and "parameter 'x' of kernel 'k' is a structure" in result.err
    assert not (tmp_path / "replay.cu").exists() and (tmp_path / "replay.py").exists()
    relation = "b.out[k] == a.out[3 - k]"
    result = run("equiv", tmp_path / "a.cu", tmp_path / "a.cu", "--relate", relation, "--save-replay", tmp_path / "more")
    assert result.status == 1 and "relations are not replayed" in result.err and relation in result.out


@pytest.mark.parametrize(("kind", "relation", "message"), [
    ("int", "b.out[k] == a.out[k] + 0.5", "a fraction"), ("int", "b.out[k] == a.more[k]", "holds long"),
])
def test_relation_of_integers_is_one(compared: Any, kind: str, relation: str, message: str) -> None:
    parameters = f"const {kind} *x, {kind} *out, long long *more"
    text = kernel("block=4 grid=1 out[4] more[4]", parameters, "out[i] = x[i]; more[i] = x[i];")
    record = compared(text, text, "--relate", relation)
    assert record["verdict"] == "invalid" and message in record["reason"]


def test_degrees_are_kept_through_a_sequence(run: Run, tmp_path: Path) -> None:
    """Squares of squares are of too high a degree to be told apart, in one kernel or in several."""
    names = [f"s{number}" for number in range(40)]
    for file, value in (("a", "t[i] * t[i]"), ("b", "t[i] * t[i] * 1.0f")):
        (tmp_path / f"{file}.cu").write_text("".join(
            f"// spmd: block=4 grid=1\n__global__ void {name}(float *t) {{ int i = threadIdx.x; t[i] = {value}; }}\n"
            for name in names))
    sides = [f"{tmp_path / file}.cu:" + ";".join(names) for file in "ab"]
    record = run("equiv", *sides, "--format", "jsonl").records[0]
    assert record["verdict"] == "unknown" and "error bound" in record["reason"]


TREE = """__shared__ float s[64]; int t = threadIdx.x; float v = 0; for (int j = t; j < n; j += 64) v += x[j];
    s[t] = v; __syncthreads();
    for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
    if (t == 0) out[0] = s[0];"""


def test_inputs_of_a_difference_are_few_and_it_is_told_where_a_value_is_lost(compared: Any) -> None:
    found = compared(kernel("block=64 grid=1 n=250", FLOATS, TREE),
                     kernel("block=64 grid=1 n=250", FLOATS, TREE.replace("(t < d)", "(t < d - 1)")))["counterexample"]
    assert found["zero_elsewhere"] and [len(cells) for cells in found["inputs"].values()] == [1]
    assert (found["a"], found["b"]) == (1.0, 0.0)
    assert found["partings"]["b"]["array"] == "s" and found["partings"]["b"]["last"] and found["partings"]["b"]["value"] == 1.0


def test_a_difference_that_zeros_hide_keeps_its_inputs(compared: Any) -> None:
    """Only where two elements are not zero do a product and a sum of products differ."""
    found = compared(kernel("block=8 grid=1 n=8", FLOATS, "if (i < n) out[i] = x[i] * y[i];"),
                     kernel("block=8 grid=1 n=8", FLOATS, "if (i < n) out[i] = x[i] * y[i] * x[0] * y[0];"))["counterexample"]
    assert found["zero_elsewhere"] and {name: len(cells) for name, cells in found["inputs"].items()}["x"] >= 1
    assert found["a"] != found["b"]


def test_divisors_that_are_not_zero_are_assumed_and_named(compared: Any) -> None:
    """Where data divide; not where equality does not rest on it, or a number divides."""
    bodies = ["out[i] = x[i] / y[i] + 1.0f;", "out[i] =\n  (x[i] + y[i]) / y[i];", "out[i] = x[i] / (float)n;",
              "out[i] = x[i] * (1.0f / n);"]
    texts = [kernel("block=4 grid=1 n=4", FLOATS, body) for body in bodies]
    assert "no divisor is zero (a: line 2; b: line 3)" in compared(texts[0], texts[1])["assumptions"]
    for one, two in ((0, 0), (2, 3)):
        record = compared(texts[one], texts[two])
        assert record["verdict"] == "equal" and not any("divisor" in text for text in record["assumptions"])


def test_ends_of_integers_are_tried(compared: Any) -> None:
    parameters = "const int *x, const int *y, int *out, int n"
    bodies = ["out[i] = (x[i] + y[i]) / 2;", "out[i] = x[i] / 2 + y[i] / 2 + (x[i] % 2 + y[i] % 2) / 2;"]
    record = compared(*(kernel("block=64 grid=1 n=64", parameters, body) for body in bodies))
    assert record["verdict"] == "different"


def test_signs_and_bits_of_floats_are_assumed_and_named(compared: Any) -> None:
    for value in ("copysignf(1.0f, {})", "__int_as_float(__float_as_int({}))"):
        texts = [kernel("block=4 grid=1 n=4", FLOATS, f"out[i] = {value.format(text)};")
                 for text in ("x[i] - y[i] + x[i]", "x[i] + x[i] - y[i]")]
        record = compared(*texts)
        stated = "signs and bits of floats are those of the reals (a: line 2; b: line 2)"
        assert record["verdict"] != "equal" or stated in record["assumptions"]


@pytest.mark.parametrize(("kind", "one", "two", "relation"), [
    ("unsigned char", "x[i]", "x[i] / 2", "a.out[k] / 2"), ("unsigned", "x[i]", "x[i] >> 1", "a.out[k] / 2"),
    ("unsigned", "x[i] * 65536", "0", "a.out[k] * a.out[k]"), ("unsigned", "x[i]", "(x[i] - 5000) >> 1", "(a.out[k] - 5000) / 2"),
    ("int", "x[i]", "x[i] / -3", "a.out[k] / (0 - 3)"),
])
def test_relations_of_integers_are_computed_in_their_type(compared: Any, kind: str, one: str, two: str, relation: str) -> None:
    texts = [kernel("block=4 grid=1 out[4]", f"const {kind} *x, {kind} *out", f"out[i] = {body};") for body in (one, two)]
    record = compared(*texts, "--relate", f"b.out[k] == {relation}")
    assert record["verdict"] in ("equal", "unknown"), record
    changed = kernel("block=4 grid=1 out[4]", f"const {kind} *x, {kind} *out", f"out[i] = {two} + (x[i] == 3);")
    assert compared(texts[0], changed, "--relate", f"b.out[k] == {relation}")["verdict"] in ("different", "unknown")


def test_extents_that_no_array_has_are_refused(compared: Any) -> None:
    for size in (-1, 99999999999999999999):
        text = kernel(f"block=4 grid=1 n=4 x[{size}]", FLOATS, "out[i] = x[i];")
        record = compared(text, text)
        assert record["verdict"] == "invalid" and f"{size} elements" in record["reason"]


def test_time_limits_hold_in_loops_of_many_rounds(compared: Any) -> None:
    body = "float p = x[0]; for (int j = 0; j < n; j++) p = p * x[1] + x[2]; out[0] = p;"
    other = body.replace("j < n", "j < n - (x[1] > 7)")
    one, two = (kernel("block=1 grid=1 n=100000000", FLOATS, text) for text in (body, other))
    record = compared(one, two, "--timeout", "2")
    assert record["verdict"] == "unknown" and record["seconds"] < 10


def test_notes_say_where_sums_are_made_and_squares_cancel(run: Run) -> None:
    norms, trees = ROOT / "case_studies" / "layernorm", ROOT / "case_studies" / "reduction"
    notes = run("equiv", norms / "original.cu", norms / "squares.cu", "--format", "jsonl").records[0]["notes"]
    assert any(note.startswith("b takes a square from another value (line ") for note in notes)
    notes = run("equiv", trees / "original.cu", trees / "sequential.cu", "--format", "jsonl").records[0]["notes"]
    assert "they add up at a: line 9 (s[]); b: line 9 (s[])" in notes


@pytest.mark.parametrize(("one", "two", "verdict"), [
    ("atomicAdd((unsigned *)&out[0], (unsigned)x[i]);", "atomicSub(&out[0], -x[i]);", "equal"),
    ("atomicAdd((unsigned *)&out[0], (unsigned)x[i]);", "atomicAdd(&out[0], x[i] + 1);", "different"),
    ("((unsigned *)out)[i] = ((const unsigned *)x)[i] * 2u;", "out[i] = x[i] + x[i];", "equal"),
    ("((unsigned *)out)[i] = ((const unsigned *)x)[i] / 2u;", "out[i] = x[i] / 2;", "different"),
    ("atomicMax((unsigned *)&out[0], (unsigned)x[i]);", "atomicMax(&out[0], x[i]);", "invalid"),
])
def test_integers_of_both_signs_are_one_array(compared: Any, one: str, two: str, verdict: str) -> None:
    texts = [kernel("block=8 grid=1 x[8] out[8]", "const int *x, int *out", body) for body in (one, two)]
    record = compared(*texts)
    assert record["verdict"] == verdict, record


def test_symbols_that_differ_name_a_cell(compared: Any) -> None:
    a = "int t = threadIdx.x; y[t] = t == 5 ? sqrtf(x[t] * x[t]) : x[t]; z[t] = 2 * x[t];"
    b = "int t = threadIdx.x; y[t] = t == 5 ? fabsf(x[t]) : x[t]; z[t] = x[t] + x[t];"
    record = compared(*(kernel("block=8 grid=1", "const float *x, float *y, float *z", body) for body in (a, b)))
    assert record["verdict"] == "unknown" and "as symbols they differ in y[5]" in record["reason"], record["reason"]
    assert "z[" not in record["reason"]
