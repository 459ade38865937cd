"""Requirements on what arrays hold: read, refused by name, obeyed by proofs and by all that is made up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import Run

from automata.lang.contents import read_contents
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import drawn_from
from automata.place import EndlessError
from automata.proof.known.context import Context, prepare
from automata.proof.witness.setting import setting_at
from automata.thread.build import build

SCATTER = """
__global__ void scatter(int *out, const int *idx, const int *end, const unsigned long long *wide, const float *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[idx[i]] = i + end[i] + (int)wide[i] + (int)x[i];
}
"""


@pytest.fixture
def scatter(tmp_path: Path) -> Path:
    path = tmp_path / "scatter.cu"
    path.write_text(SCATTER)
    return path


def _context(path: Path, *requires: str) -> Context:
    return prepare(find_kernels(str(path))[0].read(), Launch(requires=requires))


@pytest.mark.parametrize(("text", "kinds"), [
    ("distinct(idx)", ["distinct"]), ("injective(idx)", ["distinct"]), ("sorted(idx)", ["sorted"]),
    ("0 <= idx[i] && idx[i] < n", ["each", "each"]),
    ("idx[i] <= idx[i + 1]", ["each", "sorted"]), ("idx[k - 1] <= idx[k]", ["each", "sorted"]),
    ("idx[i + 1] > idx[i]", ["each", "sorted", "distinct"]), ("idx[i + 1] <= idx[i]", ["each"]),
    ("idx[i] <= idx[i + 2]", ["each"]),
    ("idx[i] + 1 <= idx[i + 1]", ["each"]), ("idx[i] <= end[i + 1]", ["each"]), ("idx[0] == 0", ["each"]),
    ("idx[n] <= m && sorted(end)", ["each", "sorted"]), ("idx[i + n] < m", ["each"]),
])
def test_what_is_read(scatter: Path, text: str, kinds: list[str]) -> None:
    kernel = find_kernels(str(scatter))[0].read()
    assert [part.kind for part in read_contents(text, kernel)] == kinds


@pytest.mark.parametrize(("text", "said"), [
    ("idx[i] == i", "'i' is not declared; what stands for every index may stand in subscripts alone"),
    ("idx[2*i] > 0", "a subscript that is not the index plus something"),
    ("idx[-i] > 0", "a subscript that is not the index plus something"),
    ("idx[i - j] > 0", "two indices, 'i' and 'j'"), ("idx[n - i] > 0", "a subscript that is not the index plus something"),
    ("idx[i + i] > 0", "a subscript that is not the index plus something"),
    ("idx[end[i]] < 3", "an element of an array in a subscript"),
    ("idx[i] < idx[j]", "two indices, 'i' and 'j'"), ("x[i] > 0", "only arrays of integers"), ("wide[i] < n", "unsigned numbers"),
    ("other[i] < n", "'other' is no array of kernel 'scatter'"), ("sorted(idx, end)", "is said of one array"),
    ("sorted(n)", "'n' is no array"), ("distinct(idx) || n > 0", "it is a requirement of its own"),
    ("idx[i] < 0 && idx[i] > 0", "no contents of arrays meet the requirements"),
    ("distinct(idx) && idx[i] == 3", "no contents of arrays meet the requirements"),
    ("idx[i] < idx[i + 1] && idx[i] > idx[i + 1]", "no contents of arrays meet the requirements"),
])
def test_what_is_refused(scatter: Path, run: Run, text: str, said: str) -> None:
    ran = run("check", scatter, "--require", text, "--format", "jsonl")
    assert ran.status in (2, 4) and said in ran.records[0]["reason"]


@pytest.mark.parametrize("requires", [
    ("distinct(idx)",), ("distinct(idx)", "0 <= idx[i] && idx[i] < m"), ("sorted(idx)", "0 <= idx[i] && idx[i] < m"),
    ("idx[i] < idx[i + 1]", "idx[i] >= 5"), ("idx[0] == 7", "idx[3] == n"), ("idx[i] % 4 == 1 || idx[i] == 6",),
    ("idx[i] <= end[i]", "idx[i] < 4", "end[i] >= 3"), ("idx[i] < 0",), ("idx[n] <= 3", "idx[i] <= idx[i + 1]"),
])
@pytest.mark.parametrize("seed", ["", "other"])
def test_what_is_made_up_is_as_required(scatter: Path, requires: tuple[str, ...], seed: str) -> None:
    context = _context(scatter, *requires)
    sizes = {"blockDim.x": 8, "gridDim.x": 2, "n": 12, "m": 20}
    setting = setting_at(context, sizes, drawn_from(tuple(map(float, range(-9, 30))), seed))
    program = Program(build(context.kernel))
    outcome = program.run(setting, Options())
    assert not [event for event in outcome.out_of_bounds if event.array in setting.lengths]
    assert setting.required is not None and setting.required(outcome.buffers, program.written)
    values = outcome.buffers["idx"].cells
    if "distinct(idx)" in requires:
        assert len(np.unique(values)) == len(values)


def test_a_run_on_other_data_is_given_up(scatter: Path) -> None:
    context = _context(scatter, "idx[i] < end[i]")
    setting = setting_at(context, {"blockDim.x": 4, "gridDim.x": 1, "n": 4, "m": 1}, lambda name, index: index * 0.0)
    with pytest.raises(EndlessError, match="does not meet what is required"):
        Program(build(context.kernel)).run(setting, Options())


@pytest.mark.parametrize(("body", "suggested"), [
    ("if (i < n) out[a[i]] = i;", "distinct(a)"),
    ("if (i < n) for (int k = a[i]; k < a[i + 1]; k++) out[k] = i;", "a[i] <= a[i + 1]"),
    ("if (i < n) out[i * m + a[i]] = i;", "0 <= a[i] && a[i] < m"),
])
def test_what_is_suggested(run: Run, tmp_path: Path, body: str, suggested: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(int *out, const int *a, int m, int n) {{\n"
                    f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {body}\n}}\n")
    ran = run("check", path, "--suggest")
    assert f'proved with --require "{suggested}"' in ran.out
    again = run("check", path, "--require", suggested, "--format", "jsonl").records[0]
    assert again["verdict"] == "proved" and suggested in again["scope"] and f"required: {suggested}" in again["assumptions"]
