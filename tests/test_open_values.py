"""A counterexample that needs a parameter below zero, of which the host code says nothing, does not refute its launch."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <cstdlib>
__global__ void k(int *x, int s, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
  if ({test}) x[0] = i;
}}
int main(int argc, char **argv) {{
  int *x, s = {value}, n = atoi(argv[2]);
  k<<<4, 64>>>(x, s, n);
}}
"""


def _file(folder: Path, test: str, value: str = "atoi(argv[1])") -> Path:
    path = folder / "k.cu"
    path.write_text(TEXT.format(test=test, value=value))
    return path


def test_below_zero_alone_leaves_the_launch_open(run: Run, tmp_path: Path) -> None:
    path = _file(tmp_path, "s < 0")
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown" and record["properties"]["race-free"] == "unknown"
    assert "require s >= 0" in record["reason"]
    assert {finding["status"] for finding in record["findings"]} <= {"potential", "benign"}
    said = run("check", path).out
    assert "--require 's >= 0'" in said and "beyond" in said
    record, = run("check", path, "--require", "s >= 0", "--format", "jsonl").records
    assert record["verdict"] == "proved"


@pytest.mark.parametrize("test", ["s <= 0", "s < 1000 && s > -7", "n < 5", "s < 0 || n == 0"])
def test_what_happens_from_zero_on_refutes(test: str, run: Run, tmp_path: Path) -> None:
    record, = run("check", _file(tmp_path, test), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_what_the_program_passes_refutes(run: Run, tmp_path: Path) -> None:
    record, = run("check", _file(tmp_path, "s < 0", "-1"), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_all_sizes_are_all(run: Run, tmp_path: Path) -> None:
    record, *_ = run("check", _file(tmp_path, "s < 0"), "--all-sizes", "--format", "jsonl").records
    assert record["verdict"] == "refuted"


UNTOLD = """#include <cstdlib>
#include "sizes.h"
__global__ void k(int *x, int n) {{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  {code}
}}
int main(int argc, char **argv) {{
  int *x, n = atoi(argv[1]), g, b;
  scanf("%d %d", &g, &b);
  k<<<{sizes}>>>(x, n);
}}
"""


@pytest.mark.parametrize(("sizes", "code", "verdict"), [
    ("4, blocks_of(n)", "if (blockDim.x == 17) x[0] = i;", "unknown"),
    ("grid_of(n), 64", "if (gridDim.x == 17) x[0] = i;", "unknown"),
    ("grid_of(n), 64", "if (i == 64 || i == 3) x[0] = i;", "unknown"),
    ("grid_of(n), 64", "if (i < 2) x[0] = i;", "refuted"),
    ("atoi(argv[2]), 64", "if (i < 2) x[0] = i;", "refuted"),
    ("17, 64", "if (gridDim.x == 17) x[0] = i;", "refuted"),
    ("grid_of(n), 64", "x[i] = n;", "proved"),
    ("g, b", "x[0] = i;", "unknown"),
    ("b / 2, b", "x[0] = i;", "unknown"),
    ("g, b", "x[i] = n;", "proved"),
    ("g, 64", "if (i < 2) x[0] = i;", "refuted"),
])
def test_a_size_that_is_not_told(sizes: str, code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Where all that is found needs a size of which the text tells nothing, it is none of the program."""
    path = tmp_path / "k.cu"
    path.write_text(UNTOLD.format(code=code, sizes=sizes))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict
    if verdict == "unknown":
        assert "does not tell what the program launches" in record["reason"]


SUMS = """#include "sizes.h"
__global__ void sums(float *out, const float *in, int rounds, int length) {{
  __shared__ float part[32];
  part[threadIdx.x] = 0;
  __syncthreads();
  for (int round = 0; round < rounds; round++)
    for (int i = threadIdx.x; i < length; i += 32) part[threadIdx.x] += in[round * length + i];
  {between}
  if (threadIdx.x == 0) for (int i = 0; i < 32; i++) out[blockIdx.x] += part[i];
}}
void go(float *out, float *in, int rounds, int length) {{ sums<<<8, 32>>>(out, in, rounds, length); }}
"""


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("between", "verdict"), [
    ("__syncthreads();", "proved"), ("", "refuted"), ("if (rounds > 3) __syncthreads();", "unknown"),
    ("if (length % 4) __syncthreads();", "unknown"), ("if (length % 3 != 1) __syncthreads();", "unknown"),
    ("if (rounds < length) __syncthreads();", "unknown"),
    ("if (length < 900) __syncthreads();", "unknown")])
def test_loops_over_numbers_of_which_the_text_tells_nothing(between: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """What shows at all numbers that are tried refutes; what shows for some, for few or for many at once does not."""
    path = tmp_path / "k.cu"
    path.write_text(SUMS.format(between=between))
    record, = run("check", path, "--format", "jsonl", "--timeout", 120).records
    assert record["verdict"] == verdict, record
    notes = [finding.get("note", "") for finding in record["findings"] if finding["rule"] == "race"]
    assert any("rounds from" in note and "length from" in note for note in notes) == (verdict == "refuted")


ROUNDED = """#include <cstdlib>
__global__ void k(int *x, int n) {{ int i = threadIdx.x; x[n % 4 ? 0 : i] = i; }}
int main(int argc, char **argv) {{ int *x; {host} k<<<1, 64>>>(x, n); }}
"""


@pytest.mark.parametrize(("host", "verdict"), [
    ("int n = 97; do n++; while (n % 4);", "unknown"), ("int n = 1; while (n < 100 || n % 4) n++;", "unknown"),
    ("int n = 97; if (argc > 1) n++;", "refuted"), ("int n = 97;", "refuted"), ("int n = 96;", "proved")])
def test_a_number_before_a_loop_that_changes_it(host: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(ROUNDED.format(host=host))
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == verdict


@pytest.mark.parametrize(("made", "verdict"), [
    ("P p; p.x = x; p.d = 1;", "proved"), ("P p = {x, 1};", "proved"), ("P p = made(x);", "unknown")])
def test_a_number_in_a_structure_is_not_chosen(made: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """The text may state a field in a way that is not read: a race that needs another number of it refutes no launch."""
    path = tmp_path / "k.cu"
    path.write_text(f"""struct P {{ int *x; int d; }};
__global__ void k(P p) {{ p.x[(blockIdx.x * 64 + threadIdx.x) / p.d] = 5 + threadIdx.x; }}
int main() {{ int *x; {made} k<<<4, 64>>>(p); }}
""")
    record = run("check", path, "--format", "jsonl").records[0]
    assert record["verdict"] == verdict and (verdict == "proved" or "p.d is" in record["reason"]), record
    path.write_text(path.read_text().replace("/ p.d", "/ 2 + p.d"))
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == "refuted"


SET_BY_SOME = """__global__ void pay(const int *kind, const float *x, float *out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i >= n) return;
  float r;
  {code}
  out[i] = {value};
}}
int main() {{ int n = 1024, *kind; float *x, *out; pay<<<n / 256, 256>>>(kind, x, out, n); }}
"""


@pytest.mark.parametrize(("code", "value", "verdict"), [
    ("switch (kind[i]) { case 0: r = x[i]; break; case 1: r = -x[i]; }", "r", "unknown"),
    ("if (kind[i] > 3) r = x[i];", "r + x[i]", "unknown"),
    ("r = kind[i] > 3 ? x[i] : r;", "r", "unknown"),
    ("for (int k = 0; k < kind[i]; k++) r = x[i];", "r", "unknown"),
    ("float y; if (kind[0] == 7 || i > 5) y = 1; r = y * 2;", "r", "unknown"),
    ("int u = kind[i] ? 1 : 2; if (u == 1) r = 1;", "r", "unknown"),
    ("if (kind[i]) r = 1; float s; if (r > 0) s = 1; else s = 2;", "s", "unknown"),
    ("float a[2]; a[0] = x[i]; r = a[1];", "kind[i] ? r : 0.f", "unknown"),
    ("float a[2]; a[kind[i] & 1] = x[i]; r = a[1];", "r", "unknown"),
    ("__shared__ float s[256]; s[t / 2 * 2] = 1; __syncthreads(); r = s[t];", "kind[i] > 3 ? r : x[i]", "unknown"),
    ("if (i < 10) r = x[i];", "r", "refuted"),
    ("if (i & 1) r = 2 * x[i];", "r + x[i]", "refuted"),
    ("float q = x[i]; if (i > 3) r = q * q;", "kind[i] * r", "refuted"),
    ("for (int k = 0; k < i; k++) r = x[k];", "r", "refuted"),
    ("float a[2]; a[0] = x[i]; r = a[1] + a[0];", "r", "refuted"),
    ("float a[2]; a[i & 1] = x[i]; r = a[1];", "r", "refuted"),
    ("__shared__ float s[256]; if (t != 5) s[t] = x[i]; __syncthreads(); r = s[t];", "r", "refuted"),
    ("if (kind[i]) r = 1; else r = 2;", "r", "proved"),
    ("if (n > 3) r = 1;", "r", "proved"),
])
def test_a_value_that_is_set_for_some_contents(code: str, value: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Whether a value is set hangs on what chooses among ways and counts rounds, not on what the value is added to."""
    path = tmp_path / "k.cu"
    path.write_text(SET_BY_SOME.format(code=code, value=value))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    notes = [finding.get("note", "") for finding in record["findings"] if finding["rule"] == "uninitialised-read"]
    assert any("for some contents of kind" in note for note in notes) == (verdict == "unknown")


@pytest.mark.parametrize(("host", "verdict"), [
    ("int g = n / m;", "refuted"), ("int g = n / m; if (g > 9) return 1;", "refuted"),
    ("int g = tune(); if (g != n / m) return 1;", "unknown"),
    ("int g = tune(); assert(g == n / m);", "unknown"), ("int g = tune(); if (n != g) return 1;", "unknown")])
def test_what_is_compared_with_a_number_of_the_program_is_not_given(host: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """The command line gives what a number is computed from, but a test lets the launch come about with few of those."""
    path = tmp_path / "k.cu"
    path.write_text(f"""#include <cassert>
#include <cstdlib>
int tune();
__global__ void k(int *x, int g) {{ if (g == 3) x[0] = threadIdx.x; }}
int main(int argc, char **argv) {{ int *x; int n = atoi(argv[1]), m = atoi(argv[2]); {host} k<<<4, 64>>>(x, g); }}
""")
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == verdict
