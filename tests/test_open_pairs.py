"""Pairs at launches of which the program's text leaves values open: what a difference or a race says that picks one of them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import Run

import spmd.api as api

FOURS = """
#include <cstdlib>
__global__ void plain(const float *x, float *y, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = x[i] + x[i];
}
__global__ void by_fours(const float *x, float *y, int n) {
    int i = 4 * (blockIdx.x * 64 + threadIdx.x);
    if (i < n / 4 * 4) for (int k = 0; k < 4; k++) y[i + k] = FACTOR * x[i + k];
}
HOST
"""
CALLED = """void run(const float *x, float *y, int n) {
    plain<<<(n + 63) / 64, 64>>>(x, y, n); by_fours<<<(n + 255) / 256, 64>>>(x, y, n); }
"""
MAIN = """int main(int argc, char **argv) { float *x, *y; int n = SIZE;
    plain<<<(n + 63) / 64, 64>>>(x, y, n); by_fours<<<(n + 255) / 256, 64>>>(x, y, n); }
"""


@pytest.mark.parametrize(("factor", "host", "verdict"), [
    ("2", CALLED, "unknown"),  # whoever calls run may only pass multiples of four
    ("3", CALLED, "different"),  # they differ at each number that is tried
    ("2", MAIN.replace("SIZE", "atoi(argv[1])"), "different"),  # whoever calls the program may give any number
    ("2", MAIN.replace("SIZE", "1030"), "different"), ("2", MAIN.replace("SIZE", "1028"), "equal")])
def test_a_difference_that_picks_an_argument(factor: str, host: str, verdict: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "k.cu"
    path.write_text(FOURS.replace("HOST", host).replace("FACTOR", factor))
    told = run("equiv", f"{path}:plain", f"{path}:by_fours", "--timeout", 30)
    assert told.out.split()[0].strip(",") == verdict
    if verdict == "unknown":
        assert "reason: different if n is " in told.out and "y[0] ends up different" in told.out
        assert "equal, real, at n = 128" in told.out
        command = next(line for line in told.out.splitlines() if line.startswith("  next: "))
        assert run(*shlex.split(command.removeprefix("  next: spmd ").partition("   (")[0])).status == 0


PITCHED = """
__global__ void rows(float *x, int n, int m, int pitch) {
    int i = threadIdx.x + 32 * blockIdx.x; if (i < n) for (int j = 0; j < m; j++) x[i * pitch + j] += 1.0f;
}
__global__ void columns(float *x, int n, int m, int pitch) {
    int j = threadIdx.x + 32 * blockIdx.x; if (j < m) for (int i = 0; i < n; i++) x[i * pitch + j] += 1.0f;
}
HOST
"""


@pytest.mark.parametrize(("host", "verdict"), [
    ("void run(float *x, int n, int m, int p) { "
     "rows<<<(n + 31) / 32, 32>>>(x, n, m, p); columns<<<(m + 31) / 32, 32>>>(x, n, m, p); }", "unknown"),
    ("int main() { float *x; rows<<<2, 32>>>(x, 40, 50, 20); columns<<<2, 32>>>(x, 40, 50, 20); }", "nondeterministic"),
    ("int main() { float *x; rows<<<2, 32>>>(x, 40, 50, 50); columns<<<2, 32>>>(x, 40, 50, 50); }", "equal")])
def test_a_race_that_picks_a_pitch(host: str, verdict: str, tmp_path: Path) -> None:
    """Rows that overlap are a race; whether they do is the program's word, where it gives one."""
    path = tmp_path / "k.cu"
    path.write_text(PITCHED.replace("HOST", host))
    answer = api.equiv(f"{path}:rows", f"{path}:columns", timeout=30)
    assert answer.verdict == verdict
    if verdict == "unknown":
        assert answer.report.side == "a" and "race if " in str(answer.report.reason)
        assert "potential race" in api.text(answer) and "confirmed" not in api.text(answer)


SUMS = """
__global__ void of_256(const int *x, int *y) {
    __shared__ int part[256];
    part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) { if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s]; __syncthreads(); }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
__global__ void of_128(const int *x, int *y) {
    __shared__ int part[128];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = x[i] + x[i + OTHER];
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) { if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s]; __syncthreads(); }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
void run(const int *x, int *y) { of_256<<<blocks(), 256>>>(x, y); of_128<<<blocks(), 128>>>(x, y); }
"""


@pytest.mark.parametrize(("other", "verdict"), [("128", "unknown"), ("64", "different")])
def test_sizes_of_which_nothing_is_told(other: str, verdict: str, tmp_path: Path, run: Run) -> None:
    """The grids of both sides may be the same, and then the sums are; or not even then."""
    path = tmp_path / "k.cu"
    path.write_text(SUMS.replace("OTHER", other))
    told = run("equiv", f"{path}:of_256", f"{path}:of_128", "--timeout", 120)
    assert told.out.split()[0].strip(",") == verdict
    if verdict == "unknown":
        assert "different if gridDim.x is " in told.out and "where gridDim.x == b.gridDim.x" in told.out
        command = next(line for line in told.out.splitlines() if line.startswith("  next: "))
        assert run(*shlex.split(command.removeprefix("  next: spmd ").partition("   (")[0])).out.startswith("equal")


def test_an_argument_that_is_computed_from_another(tmp_path: Path) -> None:
    """What the host computes from another argument is no number to choose."""
    path = tmp_path / "k.cu"
    path.write_text("""
__global__ void f(float *y, int n, int m) { int i = blockIdx.x * 64 + threadIdx.x; if (i < m) y[i] = n; }
__global__ void g(float *y, int n, int m) { int i = blockIdx.x * 64 + threadIdx.x; if (i < m / 64 * 64) y[i] = n; }
void run(float *y, int n) { int m = 2 * n; f<<<(m + 63) / 64, 64>>>(y, n, m); g<<<(m + 63) / 64, 64>>>(y, n, m); }
""")
    answer = api.equiv(f"{path}:f", f"{path}:g", timeout=30)
    assert answer.verdict == "unknown" and answer.report.one_size == {"n": 128}


@pytest.mark.parametrize(("size", "verdict"), [("90", "unknown"), ("100", "different")])
def test_launches_that_do_not_belong_together(size: str, verdict: str, tmp_path: Path, run: Run) -> None:
    """What happens at sizes that the program launches of neither is told, and decides nothing."""
    path = tmp_path / "k.cu"
    path.write_text(f"""
__global__ void f(float *y, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 1.0f; }}
__global__ void g(float *y, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / 64 * 64) y[i] = 1.0f; }}
int main() {{ float *y; f<<<2, 64>>>(y, 100); g<<<2, 64>>>(y, {size}); }}
""")
    told = run("equiv", f"{path}:f", f"{path}:g", "--timeout", 20)
    assert told.out.split()[0] == verdict
    assert ("the program launches the two with unlike arguments" in told.out) is (verdict == "unknown")
    command = [line for line in told.out.splitlines() if line.startswith("  next: ")]
    assert verdict == "different" or "--block" in command[0]


def test_a_difference_at_a_launch_of_many_threads(tmp_path: Path) -> None:
    """A launch of numbers is run where symbols differ, though it has more threads than small launches have."""
    path = tmp_path / "k.cu"
    path.write_text("""
__global__ void f(const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = x[i] + x[i + 1]; }
__global__ void g(const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = x[i] + (i > 0 ? x[i - 1] : 0); }
int main() { int *x, *y; f<<<2048, 256>>>(x, y); g<<<2048, 256>>>(x, y); }
""")
    answer = api.equiv(f"{path}:f", f"{path}:g", timeout=60)
    assert answer.verdict == "different" and "gridDim.x == 2048" in api.text(answer)


@pytest.mark.parametrize(("block", "verdict"), [
    ("1; while (block < n && block < 1024) block *= 2;", "unknown"), ("64;", "different"), ("128;", "equal")])
def test_a_number_that_a_loop_may_leave(block: str, verdict: str, tmp_path: Path) -> None:
    """A block of a power of two that is large enough: the numbers before it are none of the program."""
    path = tmp_path / "k.cu"
    path.write_text(f"""
__global__ void f(float *y, int n) {{ if (threadIdx.x < n) y[threadIdx.x] = 2.0f; }}
__global__ void g(float *y, int n) {{ int i = threadIdx.x; if (i < n) y[i] = 2.0f; }}
void run(float *y, unsigned n) {{ unsigned block = {block} f<<<1, 100>>>(y, 100); g<<<1, block>>>(y, 100); }}
int main() {{ float *y; run(y, 100); }}
""")
    assert api.equiv(f"{path}:f", f"{path}:g", timeout=30).verdict == verdict


LOOPS = """
#include <cstdlib>
__global__ void f(const int *x, int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void g(const int *x, int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / 4 * 4) y[i] = VALUE; }
int main(int argc, char **argv) { int *x, *y; HOST f<<<4, 32>>>(x, y, n); AFTER g<<<4, 32>>>(x, y, n); }
"""


@pytest.mark.parametrize(("host", "verdict"), [
    ("int n = 97; do { n++; } while (n % 4);", "unknown"),  # 97 is never passed
    ("int n = 97; do { n++; if (argc > 1) break; } while (n % 4);", "unknown"), ("int n = 97; if (argc > 1) n++;", "different"),
    ("int n = 1; while (n % 4 || n < 60) n++;", "unknown"), ("int n = 97;", "different"),
    ("int n = atoi(argv[1]); while (n % 4) n++;", "unknown"), ("int n = atoi(argv[1]);", "different"),
    ("int n = 60; for (int t = 0; t < 8; t++) n += 2;", "unknown")])
def test_a_number_that_a_loop_makes(host: str, verdict: str, tmp_path: Path) -> None:
    """What a loop leaves is not told: the value before it may be none of the program, and one value of a round is any."""
    path = tmp_path / "k.cu"
    path.write_text(LOOPS.replace("HOST", host).replace("VALUE", "x[i]").replace("AFTER", ""))
    assert api.equiv(f"{path}:f", f"{path}:g", timeout=30).verdict == verdict
    path.write_text(LOOPS.replace("HOST", host).replace("VALUE", "-x[i]").replace("AFTER", ""))
    told = api.equiv(f"{path}:f", f"{path}:g", timeout=30)
    assert told.verdict == "different" or "whether a loop of the program ends so" in str(told.report.reason)


@pytest.mark.parametrize(("after", "verdict"), [
    ("if (n % 2) n = 64;", "unknown"), ("n = 64;", "equal"), ("n = 63;", "different"), ("", "different")])
def test_a_number_that_is_given_at_one_launch_alone(after: str, verdict: str, tmp_path: Path) -> None:
    """The command line gives n where f is launched; behind it, only what it leaves counts."""
    path = tmp_path / "k.cu"
    path.write_text(LOOPS.replace("HOST", "int n = atoi(argv[1]);").replace("VALUE", "x[i]").replace("AFTER", after))
    assert api.equiv(f"{path}:f", f"{path}:g", timeout=30).verdict == verdict


ROWS = """
__global__ void by_threads(float *most, const float *x, int rows, int columns) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float m = x[r * columns];
    for (int c = 1; c < columns; c++) m = fmaxf(m, x[r * columns + c]);
    most[r] = 2.0f * m;
}
__global__ void by_warps(float *most, const float *x, int rows, int columns) {
    float m = -INFINITY;
    for (int c = threadIdx.x; c < COLUMNS; c += 32) m = fmaxf(m, x[blockIdx.x * columns + c]);
    for (int k = 16; k > 0; k /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, k));
    if (threadIdx.x == 0) most[blockIdx.x] = 2.0f * m;
}
void run(float *most, const float *x, int rows, int columns) {
    by_threads<<<(rows + 63) / 64, 64>>>(most, x, rows, columns); by_warps<<<rows, 32>>>(most, x, rows, columns); }
"""


@pytest.mark.parametrize(("columns", "told"), [("columns", "rows >= 1 && columns >= 1"), ("columns - 1", None)])
def test_arguments_that_nobody_says_are_positive(columns: str, told: str | None, tmp_path: Path, run: Run) -> None:
    """A row of nothing has a maximum in one version alone; with at least one column both have the same, if none is left out."""
    path = tmp_path / "rows.cu"
    path.write_text("#include <math.h>\n" + ROWS.replace("COLUMNS", columns))
    (record,) = run("equiv", f"{path}:by_threads", f"{path}:by_warps", "--format", "jsonl").records
    assert record["verdict"] == ("unknown" if told else "different") and record.get("suggested", []) == ([told] if told else [])
    if told is not None:
        assert f"where {told}" in record["evidence"]
        (settled,) = run("equiv", f"{path}:by_threads", f"{path}:by_warps", "--require", told, "--format", "jsonl").records
        assert settled["verdict"] == "equal"
