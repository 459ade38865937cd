"""Requirements on what arrays hold, of pairs: they serve proofs at a launch and for all sizes, and made-up data obey them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

HEAD = "__global__ void k(const float *x, const int *idx, float *out, int *bins, int n, int m) {\n" \
       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  BODY\n}\n"
GATHER = "if (i < n) out[i] = x[idx[i]];"
GUARDED = "if (i < n) out[i] = idx[i] >= 0 ? x[idx[i]] : 0.0f;"
SCATTER = "if (i < n) out[idx[i]] = x[i];"
SCATTER_BY_TWO = "for (int k = i; k < n; k += gridDim.x * blockDim.x) { int p = idx[k]; out[p] = x[k]; }"
HISTOGRAM = "if (i < n) atomicAdd(&bins[idx[i]], 1);"
PRIVATE = "__shared__ int s[64]; if (threadIdx.x < 64) s[threadIdx.x] = 0; __syncthreads();\n" \
          "  if (i < n) atomicAdd(&s[idx[i]], 1); __syncthreads();\n" \
          "  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);"
FIVES = "if (i < m) { int s = 0; if (i < n) s = idx[i] * 0 + 5; bins[i] = s; }"
FIVES_IF = "if (i < m) { int s = 0; if (i < n && idx[i] >= 0) s = 5; MORE bins[i] = s; }"
INSIDE, BYTES = "0 <= idx[i] && idx[i] < n", "0 <= idx[i] && idx[i] < 64"
OPEN = ("--block", "64", "--require", "n >= 0 && n < 100000 && m == n + 10 && gridDim.x == (m + 63) / 64")
LAUNCH = ("--block", "64", "--grid", "2", "--arg", "n=100", "--arg", "m=110", "--extent", "bins=64", "--extent", "out=100")


def record(run: Run, folder: Path, one: str, two: str, launch: tuple[str, ...], *required: str) -> dict[str, object]:
    for name, body in (("a", one), ("b", two)):
        (folder / f"{name}.cu").write_text(HEAD.replace("BODY", body))
    flags = [flag for text in required for flag in ("--require", text)]
    found: dict[str, object] = run("equiv", folder / "a.cu", folder / "b.cu", *launch, *flags, "--format", "jsonl").records[0]
    return found


@pytest.mark.parametrize(("one", "two", "launch", "required"), [
    (GATHER, GUARDED, OPEN, (INSIDE,)), (GATHER, GUARDED, LAUNCH, (INSIDE,)),
    (HISTOGRAM, PRIVATE, OPEN, (BYTES,)), (HISTOGRAM, PRIVATE, LAUNCH, (BYTES,)),
    (HISTOGRAM, PRIVATE, OPEN, ("8 <= idx[i] && idx[i] < 56",)),
    (SCATTER, SCATTER_BY_TWO, LAUNCH, (INSIDE, "distinct(idx)")),
    (FIVES, FIVES_IF.replace("MORE", ""), OPEN, (INSIDE,))])
def test_a_requirement_serves_a_proof(run: Run, tmp_path: Path, one: str, two: str, launch: tuple[str, ...],
                                      required: tuple[str, ...]) -> None:
    found = record(run, tmp_path, one, two, launch, *required)
    assert found["verdict"] == "equal", found.get("reason")
    assert all(f"required: {text}" in str(found["assumptions"]) for text in required)
    without = record(run, tmp_path, one, two, launch)
    assert without["verdict"] != "equal"


@pytest.mark.parametrize(("one", "two", "launch", "required"), [
    (GATHER, GUARDED.replace(">= 0", "> 0"), OPEN, (INSIDE,)), (GATHER, GUARDED.replace(">= 0", "!= 3"), LAUNCH, (INSIDE,)),
    (FIVES, FIVES_IF.replace("MORE", "if (n == 0) s = 1;"), OPEN, (INSIDE,)),
    (HISTOGRAM, HISTOGRAM.replace("1)", "idx[i] < 60 ? 1 : 2)"), LAUNCH, (BYTES,)),
    (HISTOGRAM, PRIVATE.replace("< 64) atomicAdd(&bins", "< 60) atomicAdd(&bins"), OPEN, (BYTES,))])
def test_what_differs_within_a_requirement(run: Run, tmp_path: Path, one: str, two: str, launch: tuple[str, ...],
                                           required: tuple[str, ...]) -> None:
    found = record(run, tmp_path, one, two, launch, *required)
    assert found["verdict"] == "different", found.get("reason")


@pytest.mark.parametrize(("one", "two", "launch", "required"), [
    (GATHER, GUARDED, OPEN, ("-1 <= idx[i] && idx[i] < n",)), (GATHER, GUARDED, OPEN, ("idx[i] < n",)),
    (HISTOGRAM, PRIVATE, OPEN, ("0 <= idx[i] && idx[i] < 65",)), (HISTOGRAM, PRIVATE, LAUNCH, ("0 <= idx[i]",))])
def test_a_requirement_that_is_too_weak(run: Run, tmp_path: Path, one: str, two: str, launch: tuple[str, ...],
                                        required: tuple[str, ...]) -> None:
    assert record(run, tmp_path, one, two, launch, *required)["verdict"] in ("unknown", "nondeterministic")


def test_a_difference_outside_of_a_requirement_is_none(run: Run, tmp_path: Path) -> None:
    """The only data that tell the two apart are those that are not required; made-up ones obey."""
    odd = GATHER.replace("x[idx[i]]", "x[idx[i]] + (idx[i] > 900 ? 1.0f : 0.0f)")
    assert record(run, tmp_path, GATHER, odd, LAUNCH, INSIDE)["verdict"] != "different"
    assert record(run, tmp_path, GATHER, odd, LAUNCH)["verdict"] == "different"


@pytest.mark.parametrize(("one", "required", "said"), [
    (HISTOGRAM, "0 <= bins[i]", "nothing is required of an array that a side writes"),
    (GATHER, "0 <= none[i]", "is no array of kernel")])
def test_what_is_refused(run: Run, tmp_path: Path, one: str, required: str, said: str) -> None:
    assert said in str(record(run, tmp_path, one, one, LAUNCH, required)["reason"])


def test_of_a_sequence_nothing_is_required_of_contents(run: Run, tmp_path: Path) -> None:
    for name, body in (("a", GATHER), ("b", GUARDED)):
        (tmp_path / f"{name}.cu").write_text(HEAD.replace("BODY", body))
    ran = run("equiv", f"{tmp_path}/a.cu;{tmp_path}/b.cu", tmp_path / "a.cu", *LAUNCH, "--require", INSIDE, "--format", "jsonl")
    assert "of a sequence, nothing is required" in ran.records[0]["reason"]
