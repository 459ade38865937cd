"""Commands as scripts meet them: exit statuses, records, bad input, batches."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import ROOT, Run

from spmd import batch, guard, pipeline
from spmd.asked import Question
from spmd.sides import file_and_kernel, named

STUDIES = ROOT / "case_studies"
GOOD = """
// spmd: block=64 grid=4
__global__ void copy(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
"""
Write = Callable[..., Path]

CHECK_SCHEMA = {
    "type": "object",
    "required": ["schema", "id", "file", "kernel", "launch", "verdict", "properties", "findings", "assumptions", "scope",
                 "writes", "seconds"],
    "properties": {
        "schema": {"const": "spmd/1"},
        "verdict": {"enum": ["proved", "refuted", "unknown", "unsupported", "invalid", "fault"]},
        "properties": {"additionalProperties": {"enum": ["proved", "refuted", "unknown", "not-checked"]}},
        "findings": {"items": {"required": ["rule", "status", "exactness", "message", "array", "places"],
                               "properties": {"status": {"enum": ["confirmed", "potential", "benign"]},
                                              "exactness": {"enum": ["CIDI", "CIDD", "CDDI", "CDDD"]}}}},
        "writes": {"type": "integer"}, "seconds": {"type": "number"}},
}


@pytest.mark.parametrize("args", [["check", STUDIES / "array_reversal/racy.cu"], ["check", STUDIES / "transpose/tiled.cu"],
                                  ["check", "no_such_file.cu"]], ids=["refuted", "proved", "invalid"])
def test_records_follow_the_schema(args: list[object], run: Run) -> None:
    records = run(*args, "--format", "jsonl").records
    assert records
    for record in records:
        jsonschema.validate(record, CHECK_SCHEMA)


BAD_INPUT = [
    ("missing file", None, [], 2, "cannot read the file"),
    ("binary file", "__global__ void k(int *a) { a[0] = 1; }\0", [], 2, "binary file"),
    ("syntax error", "__global__ void k(int *a) { a[0] = = 1; }", [], 2, "expected expression"),
    ("syntax error in C", "__global__ void k(int *a) { a[0] = = 1; }", ["--frontend", "c"], 2, "syntax error"),
    ("illegal at once in C", "\n\u00ff__global__ void k(int *a) { a[0] = 1; }", ["--frontend", "c"], 2, ".cu:2:1: "),
    ("unclosed", "__global__ void k(int *a) { a[0] = 1;", [], 2, "expected '}'"),
    ("unclosed in C", "__global__ void k(int *a) { a[0] = 1;", ["--frontend", "c"], 2, "never closed"),
    ("no kernel", "int main() { return 0; }", [], 2, "no kernel here"),
    ("unknown kernel", GOOD, ["--kernel", "other"], 2, "there is: copy"),
    ("zero block", GOOD, ["--block", "0"], 2, "at least 1"),
    ("negative grid", GOOD, ["--grid", "-3"], 2, "at least 1"),
    ("huge block", GOOD, ["--block", "200000"], 2, "beyond the launch limit"),
    ("four sizes", GOOD, ["--block", "1,2,3,4"], 2, "one to three sizes"),
    ("unknown argument", GOOD, ["--arg", "m=3"], 2, "not a scalar parameter"),
    ("not an expression", GOOD, ["--require", "blockDim.x >"], 2, "not a C expression"),
    ("contradiction", GOOD, ["--require", "blockDim.x == 65"], 2, "no launch meets the requirements"),
    ("requirement on nothing", GOOD, ["--require", "width > 0"], 2, "'width' is not declared"),
    ("unknown callee", "__global__ void k(int *a) { mystery(a); }", [], 2, "undeclared identifier 'mystery'"),
    ("unknown callee in C", "__global__ void k(int *a) { mystery(a); }", ["--frontend", "c"], 4, "unknown function 'mystery'"),
    ("undeclared", "__global__ void k(int *a) { a[0] = b; }", [], 2, "undeclared identifier 'b'"),
    ("undeclared in C", "__global__ void k(int *a) { a[0] = b; }", ["--frontend", "c"], 2, "'b' is not declared"),
    ("error directive", "#error broken\n__global__ void k(int *a) { a[0] = 1; }", [], 2, "#error broken"),
    ("bad define", GOOD, ["-D", "1x=3"], 2, "not a macro"),
    ("bad include path", GOOD, ["-I", "no/such/folder"], 2, "not a folder"),
    ("deep nesting", "__global__ void k(int *a) { a[0] = " + "+".join(["1"] * 3000) + "; }", ["--frontend", "c"], 4,
     "nested too deeply"),
    ("very deep nesting", "__global__ void k(int *a) { a[0] = " + "(" * 3000 + "1" + ")" * 3000 + "; }", [], 4, "nested"),
    ("template", "template <int N> " + GOOD.lstrip(), [], 2, "say its arguments"),
]


@pytest.mark.parametrize(("text", "args", "status", "message"), [case[1:] for case in BAD_INPUT],
                         ids=[case[0] for case in BAD_INPUT])
def test_bad_input_gives_one_clear_message(text: str | None, args: list[str], status: int, message: str, run: Run,
                                           kernel_file: Write, tmp_path: Path) -> None:
    path = kernel_file(text) if text is not None else tmp_path / "missing.cu"
    result = run("check", path, *args)
    assert result.status == status
    said = result.out + result.err
    assert message in said and "Traceback" not in said


def test_unsupported_construct_is_named_with_its_place(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *a) {\n  int i = 0;\n  asm(\"wgmma.fence.sync.aligned;\");\n  a[i] = 1;\n}\n")
    result = run("check", path)
    assert result.status == 4
    assert f"{path}:3:3: inline assembly" in result.out


def test_kernel_without_writes_says_so(run: Run, kernel_file: Write) -> None:
    result = run("check", kernel_file("__global__ void k(const int *a) { int x = a[threadIdx.x]; }"))
    assert result.status == 0
    assert "writes no array at all" in result.out


def test_macros_and_includes_keep_the_users_places(run: Run, kernel_file: Write) -> None:
    kernel_file("#define STEP(i) ((i) / 2)\n", "step.h")
    path = kernel_file('#include "step.h"\n#include <cuda_runtime.h>\n\n__global__ void k(int *a) {\n'
                       "  a[STEP(threadIdx.x)] = threadIdx.x;\n}\n")
    record = run("check", path, "--format", "jsonl").records[0]
    assert record["verdict"] == "refuted"
    assert {(place["line"], place["column"]) for place in record["findings"][0]["places"]} == {(5, 3)}


def test_files_outside_the_include_paths_are_not_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "outside.h").write_text("#define N 4\n")
    (tmp_path / "inside").mkdir()
    path = tmp_path / "inside" / "k.cu"
    path.write_text('#include "../outside.h"\n__global__ void k(int *a) { a[threadIdx.x] = N; }\n')
    assert run("check", path).status == 2
    assert run("check", path, "-I", tmp_path).status == 0


def test_host_launches_answer_what_all_sizes_cannot(run: Run, kernel_file: Write) -> None:
    path = kernel_file("#include <vector>\n__global__ void k(int *a) { a[threadIdx.x % 64] = threadIdx.x; }\n"
                       "int main() { std::vector<int> v; const int n = 64; dim3 block(n); k<<<1, block>>>(0); }\n")
    every, launched = run("check", path, "--all-sizes", "--format", "jsonl").records
    assert every["verdict"] == "refuted" and launched["verdict"] == "proved"
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["launch"]["block"] == [64, 1, 1]
    assert record["beyond"] == {"verdict": "refuted", "scope": every["scope"], "findings": every["findings"]}
    assert "beyond" not in launched and {**record, "beyond": 0, "seconds": 0} == {**launched, "beyond": 0, "seconds": 0}
    assert record["scope"] == ("as launched at host code, line 3: blockDim.x == 64, blockDim.y == 1, blockDim.z == 1, "
                                   "gridDim.x == 1, gridDim.y == 1, gridDim.z == 1")


def test_the_scope_of_a_launch_of_the_host_names_the_arguments_it_fixes(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *a, int n) { if (n < 9) a[0] = threadIdx.x; }\n"
                       "void go(int *a, dim3 g) { k<<<g, 64>>>(a, 9); }\n")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["beyond"]["verdict"] == "refuted"
    assert record["scope"] == ("as launched at host code, line 2: all sizes under blockDim.x == 64, n == 9, blockDim.y == 1, "
                                   "blockDim.z == 1")


TILE = """__global__ void tile(int *a, int n) {
  __shared__ int s[16][16];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
  s[y][x] = at < n ? a[at] : 0;
  __syncthreads();
  if (at < n) a[at] = s[x][y];
}
void go(int *a, int n) { tile<<<(n + 255) / 256, dim3(16, 16)>>>(a, n); }
"""


def test_what_the_program_launches_decides_and_takes_one_screen(run: Run, kernel_file: Write) -> None:
    path = kernel_file(TILE)
    told, every = run("check", path), run("check", path, "--all-sizes")
    assert told.status == 0 and told.out.startswith("proved tile") and len(told.out.splitlines()) <= 24
    assert "at sizes that nothing here launches: refuted" in told.out
    assert f"spmd check {path} --kernel tile --all-sizes" in told.out
    assert every.status == 1 and every.out.startswith("refuted tile") and "proved tile" in every.out
    racy = run("check", kernel_file(TILE.replace("  __syncthreads();\n", "")))
    assert racy.status == 1 and racy.out.startswith("refuted tile") and "nothing here launches" not in racy.out


@pytest.mark.parametrize("block", ["2048", "64,32", "1,1,65"])
def test_a_block_beyond_the_limits_is_a_warning(block: str, run: Run, kernel_file: Write) -> None:
    text = "__global__ void k(int *a) { a[((blockIdx.x * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x " \
           "+ threadIdx.x] = 1; }"
    path = kernel_file(text)
    (record,) = run("check", path, "--block", block, "--grid", "2", "--format", "jsonl").records
    assert record["verdict"] == "proved" and [finding["rule"] for finding in record["findings"]] == ["launch-limit"]
    (racy,) = run("check", kernel_file(text.replace("= 1", "= 1; a[0] = threadIdx.x")), "--block", block, "--grid", "2",
                  "--format", "jsonl").records
    assert racy["verdict"] != "proved"
    assert run("equiv", path, path, "--block", block, "--grid", "2").status == 2


def test_a_defect_is_told_once(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *a, int n) { for (int i = 0; i < 3; i++) a[(threadIdx.x + i) % 7] = threadIdx.x; }")
    record = run("check", path, "--block", "32", "--grid", "2", "--arg", "n=3", "--format", "jsonl").records[0]
    told = [(finding["rule"], str(finding["places"][0]["line"])) for finding in record["findings"]]
    assert told and len(told) == len(set(told))


def test_a_spent_budget_is_said_of_each_kernel_it_did_not_reach(run: Run, kernel_file: Write) -> None:
    slow, quick = ROOT / "tests" / "kernels" / "product_turned_x.cu", kernel_file(GOOD, "quick.cu")
    result = run("check", *[slow] * 40, quick, "--budget", "0.1", "--format", "jsonl")
    assert result.records[-1]["verdict"] == "unknown" and "--budget" in result.records[-1]["reason"] and result.status != 0
    assert run("check", quick, quick, "--budget", "1000").status == 0


def test_worst_status_wins(run: Run, kernel_file: Write) -> None:
    good, bad = kernel_file(GOOD, "good.cu"), kernel_file("__global__ void k(int *a) { asm(\"foo;\"); a[0] = 1; }", "bad.cu")
    assert run("check", good).status == 0
    assert run("check", good, bad).status == 4
    assert run("check", good, bad, STUDIES / "array_reversal/racy.cu").status == 1


def test_json_is_one_document(run: Run, kernel_file: Write) -> None:
    path = kernel_file(GOOD)
    assert json.loads(run("check", path, "--format", "json").out)["verdict"] == "proved"
    assert len(json.loads(run("check", path, path, "--format", "json").out)) == 2


def test_output_file(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    target = tmp_path / "result.jsonl"
    assert run("check", kernel_file(GOOD), "--format", "jsonl", "--output-file", target).out == ""
    assert json.loads(target.read_text())["verdict"] == "proved"
    assert run("check", kernel_file(GOOD), "--output-file", tmp_path / "no" / "folder").status == 2


def test_formulas_and_smt(run: Run, tmp_path: Path) -> None:
    result = run("check", STUDIES / "array_reversal/racy.cu", "--show-formulas", "--dump-smt", tmp_path / "smt")
    for expected in ("segment 0", "LHS = {", "RHS = {", "threads of one block", "Ne(threadIdx.x_1, threadIdx.x_2)",
                     "→ satisfiable", "→ unsatisfiable"):
        assert expected in result.out
    scripts = sorted((tmp_path / "smt").glob("*.smt2"))
    assert scripts and all("(check-sat)" in script.read_text() for script in scripts)


def test_dumped_formulas_give_the_same_answers(run: Run, tmp_path: Path) -> None:
    import z3

    run("check", STUDIES / "array_reversal/optimised.cu", "--dump-smt", tmp_path)
    for script in tmp_path.glob("*.smt2"):
        solver = z3.Solver()
        solver.from_string(script.read_text())
        assert solver.check() == z3.unsat, script.name


@pytest.mark.parametrize("form", ["mermaid", "dot", "svg"])
def test_draw(form: str, run: Run) -> None:
    result = run("draw", STUDIES / "array_reversal/optimised.cu", "--format", form)
    assert result.status == 0
    assert "segment 1" in result.out and "barrier" in result.out
    if form == "svg":
        from xml.etree import ElementTree

        assert ElementTree.fromstring(result.out).tag.endswith("svg")


TWO = "__global__ void one(float *x) { x[threadIdx.x] = 1; }\n__global__ void two(float *x) { x[0] = threadIdx.x; }\n"


def test_a_kernel_behind_the_name_of_its_file(run: Run, kernel_file: Write) -> None:
    """As `spmd equiv` has it, and as the message on a file of several kernels says."""
    path = kernel_file(TWO)
    assert [record["kernel"] for record in run("check", f"{path}:one", "--format", "jsonl").records] == ["one"]
    assert [record["verdict"] for record in run("check", f"{path}:two", "--format", "jsonl").records] == ["refuted"]
    assert run("run", path).status == 2 and f"name one as {path}:KERNEL" in run("run", path).err
    assert run("run", f"{path}:one").status == 0 and run("run", f"{path}:two").status == 1
    assert run("draw", f"{path}:one", "--format", "svg").status == 0
    assert run("equiv", f"{path}:one", f"{path}:one").status == 0
    assert "there is: one, two" in run("check", f"{path}:three").out
    assert run("check", f"{path}:one", "--kernel", "one").status == 0
    assert run("check", f"{path}:one", "--kernel", "two").status == 2
    assert "cannot read the file" in run("check", f"{path}x:one").out
    odd = kernel_file(TWO, "a:one")
    assert len(run("check", odd, "--format", "jsonl").records) == 2
    assert len(run("check", f"{odd}:one", "--format", "jsonl").records) == 1


def test_where_the_name_of_a_file_ends(tmp_path: Path) -> None:
    for name in ("k.cu", "a:b.cu"):
        path = str(tmp_path / name)
        Path(path).touch()
        for kernel in ("k", "space::k", "k<float, space::T>", "k<a ? b : c>"):
            assert file_and_kernel(f"{path}:{kernel}") == (path, kernel)
        assert file_and_kernel(path) == (path, None) == named(path) and named(path, "k") == (path, "k")
    for text in ("none.cu", "none.cu::k", "none.cu:", ""):
        assert file_and_kernel(text) == (text, None)
    assert file_and_kernel("none.cu:space::k") == ("none.cu", "space::k") and named("none.cu:k") == ("none.cu:k", None)


def test_a_kernel_behind_its_file_does_not_end_findings_of_others(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    """A baseline calls a finding gone only where its kernel was looked at."""
    path, known = kernel_file(TWO), tmp_path / "known.json"
    run("check", path, "--baseline", known, "--write-baseline")
    assert "fixed" not in run("check", f"{path}:one", "--baseline", known).out


def test_a_comment_does_not_mark_kernels_of_the_other_language(run: Run, kernel_file: Write) -> None:
    told = run("check", kernel_file("// CPU kernel\nvoid solve(float *x) { x[0] = 1; }", "k.cu"))
    assert "nothing is marked __global__" in told.out and "OpenCL" not in told.out


@pytest.mark.parametrize(("name", "text", "ending"), [
    ("k.cl", "__global__ void k(float *x) { x[threadIdx.x] = 1; }", ".cu"),
    ("k.cu", "__kernel void k(__global float *x) { x[get_global_id(0)] = 1; }", ".cl"),
    ("k.cu", "kernel void k(global float *x) { x[get_global_id(0)] = 1; }", ".cl")])
def test_a_name_of_the_other_language(name: str, text: str, ending: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(text, name)
    told = run("check", path)
    assert told.status == 2 and told.out.strip().splitlines()[1].endswith(f"give it a name that ends in {ending}")
    good = kernel_file(text, f"good{ending}")
    assert "side b: " in (pair := run("equiv", good, path)).out and "side a" not in pair.out


def test_a_text_for_both_languages(run: Run, kernel_file: Write) -> None:
    """Where marks of both are there, the name is right and the error is told as it is."""
    both = "#define __global__ __kernel\n__global__ void k(__global float *x) { x[get_global_id(0)] = %s; }\n"
    assert run("check", kernel_file(both % "1", "k.cl")).out.startswith("proved")
    assert "syntax error" in (told := run("check", kernel_file(both % "1 1", "k.cl")).out) and "ends in" not in told


def test_what_a_newcomer_types_instead(run: Run, kernel_file: Write) -> None:
    path = kernel_file(TWO)
    assert run("-h").out == run("--help").out and "--block" in run("check", "-h").out
    assert f"spmd check {path}" in run(path).err and run(path).status == 2
    assert "save the text as a file" in run("check", "-").out
    assert "name a file in it" in run("equiv", path.parent, path.parent).out
    assert "FILE:KERNEL" in run("equiv", path).err


def test_explain(run: Run) -> None:
    assert "nothing orders" in run("explain", "race").out
    assert run("explain", "nonsense").status == 2
    assert "did you mean" in run("explain", "proven").err and "'spmd explain' lists all" in run("explain", "zzz").err
    assert run("explain", "barrier divergence").out == run("explain", "barrier-divergence").out
    listed = [line.split()[0] for line in run("explain").out.splitlines()]
    assert {"race", "proved", "different", "scope", "sync-segment"} <= set(listed)
    assert all(run("explain", word).status == 0 for word in listed)
    assert len(run("explain").out.splitlines()) > 10


@pytest.mark.parametrize(("value", "verdict", "scope"), [
    ("x[i] + x[i]", "equal", "all sizes under"), ("n > 999 ? x[i] + 1 : x[i] * 2", "different", ""),
    ("x[i] * (2 + (n > 999 && x[n - 1] != x[n - 1]))", "unknown", "")])
def test_equiv_goes_on_from_a_launch_to_all_sizes(value: str, verdict: str, scope: str, run: Run, kernel_file: Write) -> None:
    """All sizes decide where they are asked for; that the launch is equal is evidence."""
    a, b = (f"__global__ void {name}(const float *x, float *y, int n) {{ int i = blockIdx.x * 256 + threadIdx.x; "
            f"if (i < n) y[i] = {text}; }}\n" for name, text in (("one", "2 * x[i]"), ("two", value)))
    path = kernel_file(a + b)
    launch = ("--block", "256", "--grid", "4", "--arg", "n=500", "--format", "jsonl")
    (at,) = run("equiv", f"{path}:one", f"{path}:two", *launch).records
    assert (at["verdict"], at["scope"]) == ("equal", "this launch")
    (record,) = run("equiv", f"{path}:one", f"{path}:two", *launch, "--all-sizes").records
    assert record["verdict"] == verdict
    assert record.get("scope", "").startswith(scope)
    assert verdict != "unknown" or record["evidence"].startswith("equal, ")


def test_equiv_passes_verdicts_of_its_sides_on(run: Run, kernel_file: Write) -> None:
    good, bad = kernel_file(GOOD, "good.cu"), kernel_file("__global__ void k(int *a) { asm(\"foo;\"); }", "bad.cu")
    record = run("equiv", good, bad, "--format", "jsonl").records[0]
    assert (record["verdict"], record["side"]) == ("unsupported", "b")
    racy = run("equiv", STUDIES / "array_reversal/original.cu", STUDIES / "array_reversal/racy.cu", "--format", "jsonl")
    assert (racy.status, racy.records[0]["verdict"], racy.records[0]["side"]) == (1, "nondeterministic", "b")
    assert run("equiv", good, "missing.cu").status == 2
    assert run("equiv", good).status == 2
    assert run("equiv", good, good, "--map", "nothing=out").status == 2
    assert run("equiv", good, good, "--relate", "x").status == 2


# -- batches --------------------------------------------------------------------------------------


def _launches(tmp_path: Path, records: list[Any]) -> Path:
    path = tmp_path / "launches.jsonl"
    path.write_text("".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records))
    return path


def test_batch_has_one_record_per_kernel(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    kernel_file(GOOD, "good.cu")
    records = [{"id": "one", "file": "good.cu", "grid": [4, 1, 1], "block": [64, 1, 1]},
               {"id": "none", "file": "good.cu", "kernel": "other"}, "this is no JSON",
               {"id": "odd", "file": "good.cu", "surprise": 1}, {"id": "symbolic", "file": "good.cu", "block": None}]
    result = run("check", "--launches", _launches(tmp_path, records), "--jobs", "2", "--format", "jsonl")
    found = {record["id"]: record["verdict"] for record in result.records}
    assert found == {"one": "proved", "none": "invalid", "line 3": "invalid", "odd": "invalid", "symbolic": "proved"}
    assert result.status == 2
    only = run("check", "--launches", tmp_path / "launches.jsonl", "--launch", "1", "--format", "jsonl")
    assert [record["id"] for record in only.records] == ["one"]


@pytest.mark.parametrize("option", [("--block", "64"), ("-D", "N=3"), ("--explain-passes",), ("--require", "n > 0"),
                                    ("--alias", "out,in")],
                         ids=lambda given: given[0])
def test_option_for_files_is_not_dropped_beside_launches(run: Run, tmp_path: Path, option: tuple[str, ...]) -> None:
    records = [{"schema": 1, "file": str(ROOT / "tests" / "programs" / "reversal.cu")}]
    result = run("check", "--launches", _launches(tmp_path, records), *option)
    assert result.status == 2 and f"{option[0]}: for files only" in result.err and not result.out


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A kernel in a header that two texts include and launch, a racy one, host code, and what belongs to others."""
    add = "__global__ void add(float *a, const float *b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
          "  if (i < n) a[i] += b[i];\n}\n"
    racy = "__global__ void pour(int *a) { a[threadIdx.x % 8] = threadIdx.x; }\n"
    texts = {"src/add.cuh": "#pragma once\n" + add,
             "src/one.cu": '#include "add.cuh"\nvoid go() { add<<<4, 64>>>(0, 0, 250); }\n',
             "src/two.cu": '#include "add.cuh"\n' + racy + "void two() { add<<<2, 32>>>(0, 0, 60); pour<<<1, 32>>>(0); }\n",
             "cl/scale.cl": "__kernel void scale(__global float *a) { a[get_global_id(0)] *= 2; }\n",
             "vendor/their.cu": racy, ".git/old.cu": racy, "src/host.cpp": "int main() { return 0; }\n"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_folder_is_its_files_with_kernels(run: Run, repository: Path) -> None:
    result = run("check", repository, "--format", "jsonl")
    found = {(os.path.relpath(record["file"], repository), record["kernel"]): record["verdict"] for record in result.records}
    assert found == {("src/add.cuh", "add"): "proved", ("src/two.cu", "pour"): "refuted", ("cl/scale.cl", "scale"): "proved"}
    assert len(result.records) == 3 and result.status == 1
    assert "3 files define 3 kernels" in result.err and "3 kernels: 2 proved, 1 refuted" in result.err


def test_a_line_of_a_folder_says_why(run: Run, repository: Path) -> None:
    lines = run("check", repository).out.splitlines()
    assert len(lines) == 3
    told = next(line for line in lines if line.startswith("refuted"))
    assert "two.cu  pour  [host code, line 3]: race: two threads meet at a[0]" in told and told.endswith("two.cu:2)")


def test_a_folder_and_a_file_go_together(run: Run, repository: Path) -> None:
    result = run("check", repository / "cl", repository / "vendor/their.cu", "--format", "jsonl")
    assert sorted(record["kernel"] for record in result.records) == ["pour", "scale"]


def test_a_requirement_holds_in_a_whole_folder(run: Run, repository: Path) -> None:
    result = run("check", repository / "src", "--require", "blockDim.x <= 8", "--all-sizes", "--format", "jsonl")
    assert {record["kernel"]: record["verdict"] for record in result.records if not record["launch"].get("block")} == {
        "add": "proved", "pour": "proved"}  # what blocks store in one cell is the same


@pytest.mark.parametrize(("options", "told"), [
    (["--kernel", "add"], "--kernel: for files only; name one file"), (["--show-formulas"], "--show-formulas: for files only")])
def test_options_for_one_file_are_refused_for_folders(run: Run, repository: Path, options: list[str], told: str) -> None:
    result = run("check", repository, *options)
    assert result.status == 2 and told in result.err and not result.out


def test_a_folder_without_kernels_says_so(run: Run, repository: Path) -> None:
    (repository / "empty").mkdir()
    result = run("check", repository / "empty")
    assert result.status == 2 and "no file here defines a kernel" in result.err


def test_a_structure_is_not_given_as_one_number(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    kernel_file("struct two { int a, b; }; __kernel void k(struct two x, __global int *o, int n)"
                " { o[get_global_id(0) * n] = x.a; }", "k.cl")
    records = [{"id": "number", "file": "k.cl", "scalars": [3, 1]}, {"id": "left open", "file": "k.cl", "scalars": [None, 1]}]
    result = run("check", "--launches", _launches(tmp_path, records), "--format", "jsonl")
    number, left_open = result.records
    assert number["verdict"] == "invalid" and "'x'" in number["reason"] and "x.a, x.b" in number["reason"]
    assert left_open["verdict"] == "proved" and left_open["launch"]["args"] == {"n": 1}


def test_a_bad_worker_costs_its_kernel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = batch.check_job

    def trouble(job: batch.Job, **options: Any) -> Iterator[dict[str, Any]]:
        if job.id == "hangs":
            time.sleep(60)
        if job.id == "dies":
            os._exit(7)
        yield from honest(job, **options)

    monkeypatch.setattr(batch, "check_job", trouble)
    monkeypatch.setattr(batch, "GRACE", 0.3)
    base = STUDIES / "array_reversal"
    jobs = [batch.Job(number, {"id": name, "file": "original.cu"}, base)
            for number, name in enumerate(["first", "hangs", "dies", "second", "third"])]
    began = time.monotonic()
    found = {record["id"]: record for record in batch.run_batch(jobs, workers=2, seconds=5.0, strict=False)}
    assert {name: record["verdict"] for name, record in found.items()} == {
        "first": "proved", "second": "proved", "third": "proved", "hangs": "unknown", "dies": "fault"}
    assert "its time is up" in found["hangs"]["reason"]
    assert time.monotonic() - began < 40


def test_other_kernels_of_a_file_outlive_a_bad_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = ["first", "hangs", "dies", "breaks", "last"]
    (tmp_path / "k.cu").write_text("".join(f"__global__ void {name}(int *a) {{ a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }}\n"
                                           for name in names))
    honest = pipeline.choose_launch

    def trouble(question: Question, item: Any, kernel: Any) -> Any:
        if item.name == "hangs":
            time.sleep(60)
        if item.name == "dies":
            os._exit(7)
        if item.name == "breaks":
            raise KeyError("inside")
        return honest(question, item, kernel)

    monkeypatch.setattr(pipeline, "choose_launch", trouble)
    monkeypatch.setattr(batch, "GRACE", 0.3)
    records = list(batch.run_batch([batch.Job(1, {"file": "k.cu"}, tmp_path)], workers=1, seconds=2.0, strict=False))
    assert [(record["kernel"], record["verdict"]) for record in records] == [
        ("first", "proved"), ("hangs", "unknown"), ("dies", "fault"), ("breaks", "fault"), ("last", "proved")]


def test_a_fault_of_the_tool_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(batch, "run_check", broken)
    records = list(batch.check_job(batch.Job(1, {"file": "original.cu"}, STUDIES / "array_reversal"), strict=False,
                                   seconds=None))
    assert [record["verdict"] for record in records] == ["fault"]


@pytest.mark.parametrize("name", ["automata/thread/flow.py", "equivalence/compare.py"])
def test_modules_that_another_package_has_written_over_are_refused(name: str, monkeypatch: pytest.MonkeyPatch, run: Run,
                                                                   tmp_path: Path) -> None:
    installed(tmp_path, "automata_lib", {"RECORD": f"{name},,\nautomata_lib-9.0.dist-info/METADATA,,\n"})
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(guard, "ROOT", str(tmp_path))
    guard.foreign_owners.cache_clear()
    result = run("check", STUDIES / "array_reversal/original.cu")
    guard.foreign_owners.cache_clear()
    assert result.status == 2
    assert f"modules of '{name.partition('/')[0]}' also come from automata_lib" in result.err and "pipx" in result.err


@pytest.mark.parametrize("listed", [
    "automata/__init__.py,,\nautomata/fa/dfa.py,,\n", "other/automata/x.py,,\nautomata.py,sha256=x,1\n",
    "machines/automata/x.py,,\nautomatable/x.py,,\nmy_equivalence.py,,\n", ""])
def test_packages_of_one_name_live_side_by_side(listed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed(tmp_path, "automata_lib", {"RECORD": listed})
    installed(tmp_path, "bare", {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(guard, "ROOT", str(tmp_path))
    guard.foreign_owners.cache_clear()
    assert guard.foreign_owners() == {}
    guard.foreign_owners.cache_clear()


@pytest.mark.parametrize("where", ["path", "folder", "module"])
def test_a_foreign_package_does_not_stop_the_command(where: str, tmp_path: Path) -> None:
    """On the path, in the folder where it is called, as a package or a module: the command takes its own."""
    other = tmp_path / "other"
    (other / "automata").mkdir(parents=True)
    (other / "automata" / "__init__.py").write_text("raise RuntimeError('foreign')\n")
    if where == "module":
        (other / "automata" / "__init__.py").unlink()
        (other / "automata").rmdir()
        (other / "automata.py").write_text("raise RuntimeError('foreign')\n")
    here = other if where == "folder" else tmp_path
    path = os.pathsep.join([*([] if where == "folder" else [str(other)]), str(ROOT)])
    command = [sys.executable, "-m", "spmd", "check", str(STUDIES / "array_reversal/original.cu")]
    done = subprocess.run(command, cwd=here, text=True, env={**os.environ, "PYTHONPATH": path, "SPMD_NO_CACHE": "1"},
                          capture_output=True, check=False)
    assert done.returncode == 0 and "proved reverse_direct" in done.stdout, done.stderr


def test_the_path_stays_as_it_is_without_another_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    path = [str(tmp_path / "plain"), guard.ROOT, str(tmp_path)]
    monkeypatch.setattr(sys, "path", list(path))
    guard.come_first()
    assert sys.path == path
    (tmp_path / "plain" / "equivalence.py").write_text("")
    guard.come_first()
    assert sys.path == [guard.ROOT, *path]


def installed(folder: Path, name: str, listed: dict[str, str]) -> None:
    """What an installer leaves of a distribution: its metadata and lists of files."""
    info = folder / f"{name}-9.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.0\n")
    for file, text in listed.items():
        (info / file).write_text(text)


def test_launches_of_the_host_can_be_given_back_as_records(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("""__global__ void k(int *x, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) x[i] = threadIdx.x;
}
void host(int *x, int n) {
  dim3 grid((n + 127) / 128);
  k<<<grid, 128>>>(x, n);
}
""")
    (launched,) = run("check", source, "--format", "jsonl").records
    assert launched["beyond"]["verdict"] == "refuted" and launched["verdict"] == "proved"
    assert launched["launch"]["grid"] == ["(n + 127) / 128", 1, 1] and "line 7" in launched["launch"]["source"]
    assert launched["scope"] == (
        "as launched at host code, line 7: all sizes under n + 127 <= 2147483647, gridDim.x == (n + 127) / 128, "
        "blockDim.x == 128, blockDim.y == 1, blockDim.z == 1, gridDim.y == 1, gridDim.z == 1")
    assert "required: n + 127 <= 2147483647" in launched["assumptions"]
    again = tmp_path / "again.jsonl"
    again.write_text(json.dumps({"file": "k.cu", "kernel": "k", **launched["launch"]}) + "\n"
                     + json.dumps({"file": "k.cu", "kernel": "k", "grid": [None, 1, 1], "block": [128, 1, 1]}) + "\n")
    assert [record["verdict"] for record in run("check", "--launches", again, "--format", "jsonl").records] == ["proved"] * 2


def test_the_words_of_answers_are_explained(run: Run) -> None:
    """Every label of the answers that are kept as examples, but for the names of sides and arrays."""
    texts = "".join(path.read_text() for path in (ROOT / "tests/golden").glob("*.txt") if "_as_" not in path.name)
    labels = set(re.findall(r"^  ([a-z][\w-]*):", texts, re.M))
    labels |= set(re.findall(r"([a-z-]+) (?:proved|refuted|not-checked) ·", texts))
    labels |= set(re.findall(r"^  (confirmed|potential|benign) ", texts, re.M)) | set(re.findall(r"exactness (\w+)", texts))
    labels |= set(re.findall(r"^equal, ([\w-]+)", texts, re.M))
    assert {"scope", "assuming", "reason", "race-free", "confirmed", "bitwise"} <= labels
    for label in labels - {"a", "b", "next", "note"}:
        ran = run("explain", label)
        assert ran.status == 0 and ran.out.startswith(label), label


@pytest.mark.parametrize("word", ["proved", "refuted", "equal", "different", "unknown"])
def test_verdicts_are_explained(run: Run, word: str) -> None:
    ran = run("explain", word)
    assert ran.status == 0 and ran.out.startswith(f"{word}  (a verdict)") and "Fix: " in ran.out
