"""Launches of numbers that are too large to be run: proved as if their arguments were sizes, bound to their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api
from equivalence import large
from equivalence.generic import compare as generic
from equivalence.generic import long_loops

PLAIN = """
__global__ void plain(const int *a, const int *b, int *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    c[row * n + col] = 0;
    for (int k = 0; k < n; k++) c[row * n + col] += a[row * n + k] * b[k * n + col];
}
"""
TILED = """
const int N = SIZE;
__global__ void tiled(const int *a, const int *b, int *c) {
    __shared__ int s[16 * 16], t[16 * 16];
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int i = 0; i < END; i += 16) {
        s[threadIdx.y * 16 + threadIdx.x] = a[row * N + i + threadIdx.x];
        t[threadIdx.y * 16 + threadIdx.x] = b[i * N + threadIdx.y * N + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += s[threadIdx.y * 16 + j] * t[FROM];
        BARRIER
    }
    c[row * N + col] = sum;
}
"""
MAIN = """int main() { int *a, *b, *c; dim3 block(16, 16), grid(SIZE / 16, SIZE / 16);
    plain<<<grid, block>>>(a, b, c, SIZE); tiled<<<grid, block>>>(a, b, c); }
"""
ORDINARY = {"END": "N", "FROM": "j * 16 + threadIdx.x", "BARRIER": "__syncthreads();"}


def product(tmp_path: Path, size: int, **changes: str) -> tuple[str, str]:
    text = PLAIN + TILED + MAIN
    for name, value in {**ORDINARY, **changes, "SIZE": str(size)}.items():
        text = text.replace(name, value)
    path = tmp_path / "product.cu"
    path.write_text(text)
    return f"{path}:plain", f"{path}:tiled"


@pytest.mark.parametrize("changes", [{}, {"END": "N - 16"}, {"END": "N - 1"}, {"END": "N + 16"}, {"FROM": "threadIdx.x * 16 + j"},
                                     {"FROM": "j * 16 + (threadIdx.x ^ 1)"}, {"BARRIER": ""}], ids=str)
def test_a_product_by_constant_tiles(changes: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One side gets its size, the other has it in its text. No slip may be shown, nor be equal when it is run then."""
    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(long_loops, "MANY_ROUNDS", 2)
    monkeypatch.setattr(generic, "KEPT_STATEMENTS", 60)
    answer = api.equiv(*product(tmp_path, 64, **changes), timeout=60)
    if not changes:
        assert answer.verdict == "equal" and answer.report.assurance == "proved" and "n == 64" in str(answer.report.scope)
    elif changes == {"END": "N - 1"}:  # whole tiles all the same: left to a run
        assert answer.verdict == "equal"
    else:
        assert answer.verdict != "equal"


def test_a_large_product_is_proved(tmp_path: Path) -> None:
    """Whose thousand million products no run of a few seconds sees."""
    answer = api.equiv(*product(tmp_path, 1024), timeout=120)
    assert answer.verdict == "equal" and answer.report.assurance == "proved"
    assert "n == 1024" in str(answer.report.scope) and "n >= 1024" not in api.text(answer)


SUMS = """
__global__ void by_one(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + ONE; }
__global__ void by_many(const float *x, float *y, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < UNTIL; i += STRIDE) y[i] = x[i] + 1.0f;
}
int main() { float *x, *y; by_one<<<1, 1>>>(x, y, SIZE); by_many<<<GRID, 64>>>(x, y, SIZE); }
"""
MANY = {"ONE": "1.0f", "UNTIL": "n", "STRIDE": "64 * gridDim.x", "GRID": "2"}


@pytest.mark.parametrize(("changes", "is_equal"), [
    ({}, True), ({"GRID": "3"}, True), ({"STRIDE": "128"}, True), ({"STRIDE": "129"}, False), ({"UNTIL": "n - 1"}, False),
    ({"UNTIL": "n / 2 * 2"}, False), ({"ONE": "2.0f"}, False)], ids=str)
@pytest.mark.parametrize("size", [1001, 10_000_001])
def test_loops_by_strides(changes: dict[str, str], is_equal: bool, size: int, tmp_path: Path,
                          monkeypatch: pytest.MonkeyPatch) -> None:
    """At a size that is run as well, and at one that is not: a slip there is equal in no case."""
    monkeypatch.setattr(large, "LARGE", 0)
    text = SUMS
    for name, value in {**MANY, **changes, "SIZE": str(size)}.items():
        text = text.replace(name, value)
    path = tmp_path / "k.cu"
    path.write_text(text)
    answer = api.equiv(f"{path}:by_one", f"{path}:by_many", timeout=3 if size > 10_000 and not is_equal else 30)
    assert (answer.verdict == "equal") is is_equal
    if is_equal:
        assert answer.report.assurance == "proved" and f"n == {size}" in str(answer.report.scope)
    elif size < 10_000:
        assert answer.verdict == "different"


@pytest.mark.parametrize("sizes", [(640, 640), (640, 639), (639, 640)])
def test_each_side_has_its_number(sizes: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters of other names keep their own: launches of unlike ones are not taken for the same."""
    monkeypatch.setattr(large, "LARGE", 0)
    path = tmp_path / "k.cu"
    path.write_text(f"""
__global__ void f(int *x, int n) {{ int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] = i; }}
__global__ void g(int *y, int m) {{ for (int i = threadIdx.x; i < m; i += 64) y[i] = i; }}
int main() {{ int *x; f<<<10, 64>>>(x, {sizes[0]}); g<<<1, 64>>>(x, {sizes[1]}); }}
""")
    answer = api.equiv(f"{path}:f", f"{path}:g", names={"x": "y"}, timeout=20)
    assert (answer.verdict == "equal") is (sizes[0] == sizes[1])
