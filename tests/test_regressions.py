"""Kernels and pairs that once got a wrong `proved` or `equal`, each the smallest that shows its mechanism."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]

NEVER_PROVED = {
    "a parameter that is assigned keeps its value":
        ("__global__ void k(int *a, int n) { n = 0; a[threadIdx.x * n] = threadIdx.x; }",
         ["--block", 32, "--grid", 1, "--arg", "n=1"]),
    "a parameter as loop counter keeps its value":
        ("__global__ void k(int *a, int s) { for (s = 8; s > 0; s = s / 2) { a[threadIdx.x + 32] = s; }"
         " a[threadIdx.x * s] = threadIdx.x; }", ["--block", 16, "--grid", 1, "--arg", "s=1"]),
    "a character above 127 is taken for positive":
        ("__global__ void k(int *a) { if ('\\xff' != 255) a[0] = threadIdx.x; else a[threadIdx.x] = 1; }",
         ["--block", 32, "--grid", 1]),
    "a narrow index peels as if it were wide":
        ("__global__ void k(int *a) { signed char c = threadIdx.x & 0x3f; a[c] = threadIdx.x; }",
         ["--block", 128, "--grid", 1]),
    "umin compares as signed":
        ("__global__ void k(int *a) { int t = threadIdx.x; if (t == 0 || t == 6) a[umin(t - 1, 5)] = t; }",
         ["--block", 32, "--grid", 1]),
    "a float argument is not rounded to its type":
        ("__global__ void k(int *a, float x) { if (x == 0.1f) a[0] = threadIdx.x; }",
         ["--block", 32, "--grid", 1, "--arg", "x=0.1"]),
    "a parameter is called like something of the tool's own":
        ("__global__ void k(int *a, unsigned wrap20, unsigned n) { if (wrap20 < 4u) { unsigned i = n - 10u;"
         " if (i != wrap20 && i < 1000u) a[0] = threadIdx.x; } }", ["--block", 32, "--grid", 1]),
    "an overflow is folded away":
        ("__global__ void k(int *a, int n) { int i = -4 * n; if (n > 0 && i < 0) a[threadIdx.x] = i; }",
         ["--block", 32, "--grid", 1, "--arg", "n=536870913"]),
}


@pytest.mark.parametrize("name", NEVER_PROVED)
def test_never_proved(name: str, run: Run, kernel_file: Write) -> None:
    text, args = NEVER_PROVED[name]
    assert run("check", kernel_file(text), *args, "--format", "jsonl").records[0]["verdict"] == "refuted"


def test_the_wrap_assumption_speaks_of_both_ends(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *a, int n) { int i = -4 * n; if (n > 0) { if (i >= 0) a[0] = threadIdx.x; } }")
    record = run("check", path, "--format", "jsonl").records[0]
    assert any("`-4 * n` does not wrap in int" in text for text in record["assumptions"])


BIG = ["--block", 1024, "--grid", 8]
HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x; int t = threadIdx.x;"
NEVER_EQUAL = {
    "what memory narrows":
        (f"__global__ void k(const int *in, int *out) {{ __shared__ unsigned char s[1024]; {HEAD} s[t] = in[i];"
         " __syncthreads(); out[i] = s[t]; }", f"__global__ void k(const int *in, int *out) {{ {HEAD} out[i] = in[i]; }}", BIG),
    "one cell under two index pairs":
        (f"__global__ void k(float *out) {{ __shared__ float s[2][1024]; {HEAD} s[1][t] = 1.0f; s[0][t + 1024] = 2.0f;"
         " out[i] = s[1][t]; }", f"__global__ void k(float *out) {{ {HEAD} out[i] = 1.0f; }}", BIG),
    "a guard that proves no wrap elsewhere":
        ("__global__ void k(int *b, long long *out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
         " if (i > 0) b[i - 1u] = 1; out[i] = (long long)(i - 1u); }",
         "__global__ void k(int *b, long long *out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
         " if (i > 0) b[i - 1u] = 1; out[i] = (long long)((int)i - 1); }", BIG),
    "parameters of other types":
        (f"__global__ void k(int *out, int n) {{ {HEAD} if (i < n) out[i] = 1; }}",
         f"__global__ void k(int *out, unsigned char n) {{ {HEAD} if (i < n) out[i] = 1; }}", BIG),
    "a's shared array and b's global one":
        (f"__global__ void k(int *out) {{ __shared__ int s[1024]; {HEAD} if (blockIdx.x == 0) s[t] = t; out[i] = i; }}",
         f"__global__ void k(int *out, int *s) {{ {HEAD} if (blockIdx.x == 0) s[t] = t; out[i] = i; }}",
         [*BIG, "--output", "s"]),
    "the guard of another read of the same cell":
        ("__global__ void k(int *out, int w) { __shared__ int s[1024]; int tx = threadIdx.x, ty = threadIdx.y;"
         " s[tx + 32 * ty] = 0; __syncthreads(); if (tx < w) s[tx + w * ty] = 1; __syncthreads();"
         " int x = 0; if (tx < w) x = s[tx + w * ty]; int y = s[tx + w * ty]; out[blockIdx.x * 1024 + ty * 32 + tx] = x + y; }",
         "__global__ void k(int *out, int w) { int tx = threadIdx.x, ty = threadIdx.y;"
         " out[blockIdx.x * 1024 + ty * 32 + tx] = tx < w ? 2 : 0; }",
         ["--block", "32,32", "--grid", 8, "--require", "w > 0", "--require", "w <= 32"]),
    "a block-wide read resolved under a guard":
        ("__global__ void k(int *out, int w, int p, int q) { __shared__ int s[1024]; __shared__ int u;"
         " int tx = threadIdx.x, ty = threadIdx.y; s[ty * 32 + tx] = 0; __syncthreads(); if (tx < w) s[ty * w + tx] = 7;"
         " __syncthreads(); int x = s[p * w + q]; if (tx == 0 && ty == 0) { if (q < w) u = x; else u = 0; } __syncthreads();"
         " out[ty * 32 + tx] = u + x; }",
         "__global__ void k(int *out, int w, int p, int q) { int tx = threadIdx.x, ty = threadIdx.y; out[ty * 32 + tx] = 0; }",
         ["--block", "32,32", "--grid", 1, "--require", "w == 6", "--require", "p > 9 && p < 15", "--require",
          "q > 9 && q < 15"]),
}


def test_a_model_speaks_of_a_variable_of_the_device(run: Run, kernel_file: Write) -> None:
    path = kernel_file("// spmd: block=32 grid=1\n__device__ int chosen;\n"
                       "__global__ void k(int *o) { int t = threadIdx.x; if (chosen == 77) o[t / 2] = t; }")
    assert run("check", path, "--format", "jsonl").records[0]["properties"]["race-free"] == "refuted"


@pytest.mark.parametrize("name", NEVER_EQUAL)
def test_never_equal(name: str, run: Run, kernel_file: Write) -> None:
    a, b, args = NEVER_EQUAL[name]
    record = run("equiv", kernel_file(a, "a.cu"), kernel_file(b, "b.cu"), *args, "--format", "jsonl").records[0]
    assert record["verdict"] in ("different", "unknown"), record


def test_launches_that_contradict_each_other_are_invalid(run: Run, kernel_file: Write) -> None:
    a = kernel_file("// spmd: grid=1 block=n\n__global__ void k(int *out, int n) { out[threadIdx.x] = 1; }", "a.cu")
    b = kernel_file("// spmd: block=32 grid=n/2048\n__global__ void k(int *out, int n) {"
                    " out[blockIdx.x * 32 + threadIdx.x] = 2; }", "b.cu")
    assert run("equiv", a, b).status == 2


def test_a_launch_follows_its_kernel_through_the_map(run: Run, kernel_file: Write) -> None:
    a = kernel_file("// spmd: block=32 grid=n require n > 0, n <= 100, m > 0, m <= 200\n"
                    "__global__ void k(int *out, int n, int m) { out[blockIdx.x * 32 + threadIdx.x] = 1; }", "a.cu")
    b = kernel_file("// spmd: block=32 grid=n require n > 0\n"
                    "__global__ void k(int *out, int m, int n) { out[blockIdx.x * 32 + threadIdx.x] = 1; }", "b.cu")
    assert run("equiv", a, b, "--format", "jsonl").records[0]["verdict"] == "equal"
    swapped = run("equiv", a, b, "--map", "n=m", "--map", "m=n", "--format", "jsonl").records[0]
    assert swapped["verdict"] == "different"


def test_a_quotient_fits_unless_it_divides_by_zero(run: Run, kernel_file: Callable[..., Path]) -> None:
    """What C says nothing of is no overflow; what is left to large sizes is said."""
    path = kernel_file("""__global__ void cells(const float *in, float *out, int n, int width, int height) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i / width / height];
}
""")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert any("/ width / height` does not wrap in int" in text for text in record["assumptions"])
