"""What a person reads, as golden text: the case studies' pages hold the tool's own output, up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Run

STUDIES = ROOT / "case_studies"


@pytest.mark.sliced(3)
@pytest.mark.parametrize("study", sorted(page.parent.name for page in STUDIES.glob("*/README.md")))
def test_case_study_pages_are_up_to_date(study: str) -> None:
    result = subprocess.run([sys.executable, STUDIES / "refresh.py", "--check", "--no-mutants", study], capture_output=True,
                            text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_race_shows_threads_cell_lines_and_sizes(run: Run) -> None:
    said = run("check", STUDIES / "array_reversal" / "racy.cu", "--all-sizes").out
    for part in ("confirmed race: two threads meet at s[0]", "at blockDim.x = 2, gridDim.x = 1",
                 "block (0, 0, 0), thread (0, 0, 0) reads", "block (0, 0, 0), thread (1, 0, 0) writes",
                 "racy.cu:11:15", "int value = s[threadIdx.x];", "spmd explain race"):
        assert part in said
    lines = said.splitlines()
    source = next(number for number, line in enumerate(lines) if "11 |   int value" in line)
    assert lines[source + 1].index("^") == lines[source].index("s[threadIdx")


def test_every_assumption_stands_under_the_verdict(run: Run) -> None:
    said = run("check", STUDIES / "array_reversal" / "optimised.cu").out
    for part in ("assuming:", "launch limits", "no wrap in unsigned int: blockDim.x*gridDim.x <= 4294967296",
                 "in, out do not overlap", "no extent is known", "sizes the kernel never reads are 1",
                 "determinism: global arrays proved, strong (shared memory too) proved"):
        assert part in said


OFTEN = """__global__ void k(float *x, int g) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; x[(i / g) * 32 + i % g] = i; }}
void run(float *x, int r) {{ int g = r > 16 ? {most} : 16; if (r < 8) g = 8; k<<<100, 256>>>(x, g); }}
"""


def test_launches_of_which_the_same_is_said_have_one_line_each(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "often.cu"
    path.write_text(OFTEN.format(most=32))
    said = run("check", path).out
    assert said.count("scope:") == 1 and said.count("race-free proved") == 1
    assert [line.split(": as above, at ")[1] for line in said.splitlines() if "as above" in line] == ["g == 32", "g == 8"]
    assert len(run("check", path, "--format", "jsonl").records) == 3


def test_launches_of_which_another_thing_is_said_are_told_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "often.cu"
    path.write_text(OFTEN.format(most=64))
    said = run("check", path).out
    assert said.count("scope:") == 3 and said.count("refuted k") == 1 and "as above" not in said


def test_nothing_is_called_equivalent_without_its_class(run: Run) -> None:
    said = run("equiv", STUDIES / "vector_add" / "original.cu", STUDIES / "vector_add" / "optimised.cu").out
    assert said.startswith("equal, bitwise")
    assert "assurance: proved" in said and "scope: all sizes under n > 0" in said


def test_a_counterexample_shows_sizes_inputs_values_and_owner(run: Run) -> None:
    said = run("equiv", STUDIES / "vector_add" / "original.cu", STUDIES / "vector_add" / "mutants" / "second_dropped.cu").out
    for part in ("different", "ends up different (both kernels were run)", "at n = 129", "a starts as [128] 1.0",
                 "all other elements start as zero", "written by block (0, 0, 0), thread (128, 0, 0)",
                 "never written: the initial value"):
        assert part in said


def test_places_in_our_own_headers_have_a_lasting_name(run: Run, tmp_path: Path) -> None:
    kernel = tmp_path / "k.cu"
    kernel.write_text("#include <curand_kernel.h>\n"
                      "__global__ void k(curandStateMtgp32 *s, float *a) { a[threadIdx.x] = curand(s); }\n")
    said = run("check", kernel, "--block", "64", "--grid", "2")
    assert "<spmd's cuda.h>:" in said.out and "state->offset" in said.out
    record = run("check", kernel, "--block", "64", "--grid", "2", "--format", "jsonl").records[0]
    files = {place["file"] for finding in record["findings"] for place in finding["places"]}
    assert "<spmd's cuda.h>" in files and files <= {"<spmd's cuda.h>", str(kernel)}


def test_instances_of_which_the_same_is_said_have_one_line() -> None:
    """But for what is proved; a defect is one whatever numbers show it, and what a budget leaves is counted."""
    from spmd.pipeline import BUDGET_SPENT
    from spmd.report.folder import FolderLines

    def record(kernel: str, verdict: str, reason: str | None = None, line: int = 0) -> dict[str, object]:
        place = {"file": "a.cu", "line": line, "column": 1}
        finding = {"rule": "race", "status": "confirmed", "message": f"at p[{len(kernel)}]", "places": [place]}
        return {"kernel": kernel, "file": "a.cu", "verdict": verdict, "launch": {}, "findings": [finding] if line else [],
                **({"reason": reason} if reason else {})}

    lines = FolderLines()
    told = [lines.line(each) for each in (
        record("k<1>", "proved"), record("k<2>", "proved"), record("k<3>", "unknown", "why of k<3>"),
        record("k<A<4>>", "unknown", "why of k<A<4>>"),
        record("k<5>", "unknown", "another"), record("k(int)", "refuted", line=3), record("k<65>", "refuted", line=3),
        record("k<7>", "refuted", line=4), record("plain", "unknown", "x"), record("plain", "unknown", "x"),
        record("late", "unknown", BUDGET_SPENT), record("k<8>", "unknown", BUDGET_SPENT))]
    assert [bool(line) for line in told] == [True, True, True, False, True, True, False, True, True, True, False, False]
    assert [line.split(maxsplit=2)[2] for line in lines.rest()[:2]] == ["k: 1 more instance, as above"] * 2
    last = lines.rest()[2]
    assert last.split(maxsplit=1)[1].startswith("2 kernels of 1 file: the budget") and "before their turn" in last


STRIDED = """__global__ void k(int *a, const int *b, int n, unsigned s) {
  for (int j = threadIdx.x; j < n; j += 16)
    a[j] = b[j * 3] + b[j * 5] + b[j * 7] + b[j * 9] +
           b[j * 11] + b[j * 13];
  for (unsigned j = threadIdx.x; j < s; j += 16)
    a[j] = b[j * 3] + b[j * 5];
}"""


def test_values_that_do_not_wrap_are_told_together(run: Run, tmp_path: Path) -> None:
    """Text counts them by type and line; the record lists each."""
    file = tmp_path / "strided.cu"
    file.write_text(STRIDED)
    asked = ("check", file, "--block", 16, "--grid", 1)
    said = [text for text in run(*asked, "--format", "jsonl").records[0]["assumptions"] if "does not wrap" in text]
    lines = [line for line in run(*asked).out.splitlines() if "do not wrap" in line or "does not wrap" in line]
    assert len(said) == 10 and lines == [
        "    - 10 values do not wrap: of int 1 at line 2, 4 at line 3, 2 at line 4, of unsigned int 1 at line 5, 2 at line 6; "
        "each of them: --format json"]
    few = run("check", ROOT / "tests/golden/hints.cl", "--block", 16, "--grid", 1).out
    assert "    - `threadIdx.x + round@3.5 * 16` does not wrap in int (line 3)" in few
