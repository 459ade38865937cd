"""Baselines and allowances: what is known or allowed stays listed and does not decide; nothing else is let through."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from conftest import ROOT, Run
from sample_repository import git
from test_formats import SCHEMA

from spmd.records.allow import allowances_in

RACY = """// spmd: block=64 grid=1
__global__ void shift(int *out) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[64 - threadIdx.x];
}
"""
GOOD = """// spmd: block=64 grid=1
__global__ void fine(int *out) { out[threadIdx.x] = 1; }
"""
TOTAL = """// spmd: block=64 grid=1
__global__ void total(int *out) {
  out[0] = threadIdx.x;
  out[1] = threadIdx.x;
}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cu").write_text(TOTAL)
    return tmp_path / "k.cu"


# -- baseline -------------------------------------------------------------------------------------


def test_known_findings_are_marked_and_do_not_fail(file: Path, run: Run) -> None:
    assert run("check", file).status == 1
    assert run("check", file, "--baseline", "base.json", "--write-baseline").status == 0
    written = json.loads(Path("base.json").read_text())
    jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/baseline"}]}).validate(written)
    said = run("check", file, "--baseline", "base.json")
    assert said.status == 0 and said.out.startswith("refuted") and "known: listed in the baseline" in said.out
    (record,) = run("check", file, "--baseline", "base.json", "--format", "jsonl").records
    assert record["verdict"] == "refuted" and all(finding["known"] for finding in record["findings"])


def test_a_new_finding_fails_beside_known_ones(file: Path, run: Run) -> None:
    run("check", file, "--baseline", "base.json", "--write-baseline")
    more = "\n\n" + TOTAL.replace("out[1] = threadIdx.x;", "out[1] = threadIdx.x;\n  out[2] = threadIdx.x + 1;")
    file.write_text(more)
    said = run("check", file, "--baseline", "base.json")
    assert said.status == 1 and "known: listed" in said.out, said
    assert said.out.count("known: listed") == 2
    assert "two threads meet at out[2]" in said.out.rpartition("known: listed")[2] and "k.cu:7" in said.out
    file.write_text(more.replace("{", "{\n  __shared__ int s[64];\n  s[threadIdx.x / 2] = threadIdx.x;", 1))
    assert "s[0]" in run("check", file, "--baseline", "base.json").out


def test_a_fixed_finding_is_told_as_fixed(file: Path, run: Run) -> None:
    run("check", file, "--baseline", "base.json", "--write-baseline")
    file.write_text(TOTAL.replace("  out[1] = threadIdx.x;\n", ""))
    said = run("check", file, "--baseline", "base.json")
    assert said.status == 0 and said.out.count("\nfixed race total") == 1
    last = run("check", file, "--baseline", "base.json", "--format", "jsonl").records[-1]
    assert [entry["rule"] for entry in last["fixed"]] == ["race"]
    log = json.loads(run("check", file, "--baseline", "base.json", "--format", "sarif").out)
    assert sorted(result["baselineState"] for result in log["runs"][0]["results"]) == ["absent", "unchanged"]
    assert run("check", file, "--baseline", "base.json", "--write-baseline").status == 0
    assert len(json.loads(Path("base.json").read_text())["entries"]) == 1


def test_what_is_out_of_sight_is_not_fixed(file: Path, run: Run) -> None:
    """Another file, a kernel that cannot be read, a kernel that was not asked for: none says that the race is gone."""
    run("check", file, "--baseline", "base.json", "--write-baseline")
    before = Path("base.json").read_text()
    other = file.with_name("other.cu")
    other.write_text(GOOD)
    assert "fixed" not in run("check", other, "--baseline", "base.json").out
    run("check", other, "--baseline", "base.json", "--write-baseline")
    assert Path("base.json").read_text() == before
    file.write_text(TOTAL.replace("out[0] =", 'asm("exit;"); out[0] ='))
    assert "fixed" not in run("check", file, "--baseline", "base.json").out
    file.write_text(TOTAL + GOOD.split("\n", 1)[1])
    assert "fixed" not in run("check", file, "--kernel", "fine", "--baseline", "base.json").out
    file.write_text(GOOD)
    assert run("check", file, "--baseline", "base.json").out.count("fixed race total") == 2


def test_what_nobody_has_decided_may_be_known_too(file: Path, run: Run) -> None:
    file.write_text(TOTAL.replace("out[0] =", 'asm("exit;"); out[0] ='))
    assert run("check", file).status == 4
    assert run("check", file, "--baseline", "base.json", "--write-baseline").status == 0
    assert run("check", file, "--baseline", "base.json").status == 0
    file.write_text(TOTAL)
    assert run("check", file, "--baseline", "base.json").status == 1


def test_a_known_difference(file: Path, run: Run) -> None:
    pair = ("equiv", ROOT / "tests/golden/twice.cu", ROOT / "tests/golden/thrice.cu", "--baseline", "base.json")
    assert run(*pair, "--write-baseline").status == 0
    said = run(*pair)
    assert said.status == 0 and said.out.startswith("different") and "known: listed" in said.out


@pytest.mark.parametrize(("content", "told"), [
    (None, "add --write-baseline"), ("{", "not JSON"), ("[]", "not a baseline"),
    ('{"schema": "spmd-baseline/2", "entries": []}', "reads"),
    ('{"schema": "spmd-baseline/1", "entries": [{"rule": "race"}]}', "lacks one of"), ("\x00", "not JSON")])
def test_a_bad_baseline_is_told(content: str | None, told: str, file: Path, run: Run) -> None:
    if content is not None:
        Path("base.json").write_text(content)
    said = run("check", file, "--baseline", "base.json")
    assert said.status == 2 and told in said.err and not said.out
    assert content is None or run("check", file, "--baseline", "base.json", "--write-baseline").status == 2


def test_where_to_write_has_to_be_said_and_writable(file: Path, run: Run) -> None:
    assert "--baseline FILE" in run("check", file, "--write-baseline").err
    said = run("check", file, "--baseline", "no/such/folder.json", "--write-baseline")
    assert said.status == 2 and "cannot write the baseline" in said.err


# -- allowances ------------------------------------------------------------------------------------

ALLOWED = "// spmd: allow[race] any thread may win"


@pytest.mark.parametrize("text", [
    TOTAL.replace("out[0] = threadIdx.x;", f"out[0] = threadIdx.x; {ALLOWED}").replace("  out[1]", f"{ALLOWED}\n//\n\n  out[1]"),
    TOTAL.replace("__global__", f"{ALLOWED}\n__global__"),
    TOTAL.replace("__global__ void total", f"{ALLOWED}\n__global__ void\n__launch_bounds__(64)\ntotal"),
    f"{ALLOWED}\n{TOTAL}",
    TOTAL.replace("out) {", f"out) {{ {ALLOWED.replace('//', '/*')} */"),
    TOTAL.replace("out[0] = threadIdx.x;", f"\n{ALLOWED}\nout[0] =\n  threadIdx.x;").replace("out[1] = threadIdx.x;", ""),
], ids=["lines", "kernel", "long-head", "above-launch", "block", "statement"])
def test_an_allowed_finding_stays_listed_with_its_reason(text: str, file: Path, run: Run) -> None:
    file.write_text(text)
    said = run("check", file)
    assert said.status == 0 and said.out.startswith("refuted") and "allowed: any thread may win" in said.out, said
    assert "note:" not in said.out.split("exactness")[-1]
    (record,) = run("check", file, "--format", "jsonl").records
    assert {item["allowed"] for item in (*record["findings"], *record.get("besides", []))} == {"any thread may win"}
    result = json.loads(run("check", file, "--format", "sarif").out)["runs"][0]["results"][0]
    assert result["suppressions"] == [{"kind": "inSource", "status": "accepted", "justification": "any thread may win"}]


@pytest.mark.parametrize(("comment", "told"), [
    ("// spmd: allow[race]", "needs a reason"), ("// spmd: allow[race]  :", "needs a reason"),
    ("// spmd: allow[rase] why", "did you mean race"),
    ("// spmd: allow race why", "write allow[RULE] REASON"), ("// spmd: allow[] why", "write allow[RULE]"),
    ("// spmd: allow[out-of-bounds] another rule", "matches no finding"), ("// spmd: allow[fault] never", "no such rule")])
def test_what_allows_nothing_is_told(comment: str, told: str, file: Path, run: Run) -> None:
    file.write_text(TOTAL.replace("__global__", f"{comment}\n__global__"))
    said = run("check", file)
    assert said.status == 1 and told in said.out and f"{file}:2:" in said.out
    idle = run("check", file, "--format", "jsonl").records[-1]["idle"]
    assert len(idle) == 1 and idle[0]["line"] == 2
    assert told.split("[")[0] in run("check", file, "--format", "github").out


def test_one_comment_allows_all_that_is_known_of_its_line(file: Path, run: Run) -> None:
    """What a run confirmed is not left over as what the proofs only suspected there."""
    file.write_text("// spmd: block=32 grid=2\n__global__ void k(float *out, const float *in) {\n"
                    "  atomicAdd(out, in[threadIdx.x]);  // spmd: allow[atomic-order] rounding is fine here\n}\n")
    said = run("check", file)
    assert said.status == 0 and "allowed: rounding is fine here" in said.out


def test_what_proofs_do_not_cover_is_not_accepted_with_what_a_run_showed(file: Path, run: Run) -> None:
    file.write_text("// spmd: block=64 grid=1\n__global__ void k(int *a, const int *b, int n) {\n"
                    "  a[b[threadIdx.x] & 1] = threadIdx.x;  // spmd: allow[race] fine\n"
                    "  for (int i = 0; i < n; i++) a[2 + ((b[threadIdx.x + i] * b[i]) & 3)] = threadIdx.x;\n}\n")
    said = run("check", file)
    assert said.status != 0, said


def test_an_allowance_reaches_no_further_than_its_statement(file: Path, run: Run) -> None:
    file.write_text(TOTAL.replace("  out[0]", f"  {ALLOWED}\n  out[0]"))
    said = run("check", file)
    assert said.status == 1 and said.out.count("allowed: ") == 1 and "two threads meet at out[1]" in said.out
    assert "allowed: " not in said.out.rpartition("two threads meet at out[1]")[2]
    file.write_text(GOOD.replace("__global__", f"{ALLOWED}\n__global__") + TOTAL)
    assert run("check", file).status == 1 and "matches no finding" in run("check", file).out


def test_an_allowed_race_does_not_allow_what_else_is_wrong(file: Path, run: Run) -> None:
    file.write_text(RACY.replace("__global__", f"{ALLOWED}\n__global__"))
    said = run("check", file)
    assert "allowed" in said.out and "uninitialised-read" in said.out and said.status == 1


def test_an_allowance_in_a_header_is_read_there(file: Path, run: Run) -> None:
    file.with_name("h.h").write_text(f"__device__ void set(int *out) {{\n  out[0] = threadIdx.x; {ALLOWED}\n}}\n")
    file.write_text('#include "h.h"\n// spmd: block=64 grid=1\n__global__ void k(int *out) { set(out); }\n')
    said = run("check", file)
    assert said.status == 0 and "allowed: any thread may win" in said.out


def test_one_kernel_asked_for_leaves_the_allowances_of_others_alone(file: Path, run: Run) -> None:
    file.write_text(GOOD + TOTAL.replace("__global__", f"{ALLOWED}\n__global__"))
    assert "matches no" not in run("check", file, "--kernel", "fine").out


def test_an_allowed_finding_is_not_written_to_a_baseline(file: Path, run: Run) -> None:
    file.write_text(TOTAL.replace("  out[0]", f"  {ALLOWED}\n  out[0]"))
    run("check", file, "--baseline", "base.json", "--write-baseline")
    assert len(json.loads(Path("base.json").read_text())["entries"]) == 1


def test_the_pre_merge_check_lets_an_allowed_finding_through(file: Path, run: Run) -> None:
    """Its alerts have the fingerprints that `check` has, so that both are one alert."""
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        git(file.parent, *command)
    file.write_text(TOTAL.replace("out[1] =", "out[2] ="))
    git(file.parent, "commit", "-qam", "two")
    said = run("diff", "HEAD~1")
    assert said.status == 1 and "refuted" in said.out
    log, own = (json.loads(run(*call, "--format", "sarif").out)
                for call in (("diff", "HEAD~1", "--checks-alone"), ("check", "k.cu")))
    marks = [{result["partialFingerprints"]["spmd/v1"] for result in each["runs"][0]["results"] if result["ruleId"] == "race"}
             for each in (log, own)]
    assert marks[0] == marks[1] and marks[0]
    file.write_text(TOTAL.replace("out[1] =", "out[2] =").replace("__global__", f"{ALLOWED}\n__global__"))
    git(file.parent, "commit", "-qam", "three")
    said = run("diff", "HEAD~2", "--checks-alone")
    assert "allowed: any thread may win" in said.out and "refuted" in said.out and said.status == 0
    file.write_text(file.read_text().replace("out[2] =", "out[3] ="))
    git(file.parent, "commit", "-qam", "four")
    said = run("diff", "HEAD~1")
    assert "nondeterministic" in said.out and said.status == 0
    file.write_text(file.read_text().replace("out[3] = threadIdx.x;", 'asm("exit;");'))
    git(file.parent, "commit", "-qam", "five")
    assert run("diff", "HEAD~1").status != 0


def test_comments_of_launches_are_read_beside_allowances() -> None:
    assert [each.covers for each in allowances_in("k.cu", [ALLOWED, "", "// x", "int a;", "b; " + ALLOWED, ALLOWED])] == [
        range(4, 5), range(5, 6), range(7, 8)]
