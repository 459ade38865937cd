"""Requirements that are suggested: what was not proved without them is proved with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNELS = {
    "one block": ("""__global__ void reverse(int *a) {
  extern __shared__ int s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}""", "gridDim.x == 1"),
    "an axis not used": ("""__global__ void fill(int *a, const int *b) {
  int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) a[i] = b[i] + a[i];
}""", "blockDim.y == 1"),
    "a halo": ("""__global__ void blur(const int *in, int *out) {
  extern __shared__ int s[];
  int g = blockIdx.x * blockDim.x + threadIdx.x + 2, l = threadIdx.x + 2;
  s[l] = in[g];
  if (threadIdx.x < 2) {
    s[l - 2] = in[g - 2];
    s[l + blockDim.x] = in[g + blockDim.x];
  }
  __syncthreads();
  out[g] = s[l - 2] + s[l - 1] + s[l] + s[l + 1] + s[l + 2];
}""", "blockDim.x >= 2"),
    "a tile": ("""__global__ void turn(const float *in, float *out) {
  __shared__ float s[16][17];
  int at = (blockIdx.y * gridDim.x + blockIdx.x) * 256;
  s[threadIdx.y][threadIdx.x] = in[at + threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[at + threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}""", "blockDim.x == 16 && blockDim.y == 16"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_requirement_is_found(name: str, run: Run, tmp_path: Path) -> None:
    text, wanted = KERNELS[name]
    path = tmp_path / "k.cu"
    path.write_text(text + "\n")
    record, = run("check", path, "--suggest", "--format", "jsonl").records
    assert record["verdict"] == "refuted"
    assert record["suggested"] == [wanted]
    again, = run("check", path, "--require", wanted, "--format", "jsonl").records
    assert [again["properties"][name] for name in ("race-free", "barriers", "order-free")] == ["proved"] * 3


def test_none_where_there_is_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void last(int *a) { a[0] = threadIdx.x; }\n")
    record, = run("check", path, "--suggest", "--format", "jsonl").records
    assert record["verdict"] == "refuted" and "suggested" not in record
    text = run("check", path, "--suggest").out
    assert "suggestion: none of the usual requirements makes it proved" in text and "--require" not in text


COPY = "int i = blockIdx.x * 64 + threadIdx.x; if (i < {0}) y[i] = x[i];"
PAIRS = {
    "whole vectors": ("grid=(n+63)/64", "float", "n", "float4", "n / 4", "n % 4 == 0", None),
    "whole vectors at a launch": ("grid=2 n=103", "float", "n", "float4", "n / 4", "n % 4 == 0", "n = 100 and n = 96"),
    "whole pairs at a launch": ("grid=2 n=103", "float", "n", "float2", "n / 2", "n % 2 == 0", "n = 102 and n = 100"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_requirement_that_makes_a_pair_equal(name: str, run: Run, tmp_path: Path) -> None:
    grid, one, rows, two, others, wanted, at = PAIRS[name]
    for file, kind, count in (("a", one, rows), ("b", two, others)):
        (tmp_path / f"{file}.cu").write_text(
            f"// spmd: block=64 {grid} require n > 0, n <= 100000\n"
            f"__global__ void copy(const {kind} *x, {kind} *y, int n) {{ {COPY.format(count)} }}\n")
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--suggest", "--format", "jsonl").records[0]
    assert record["verdict"] == "different" and record["suggested"] == [wanted] and record.get("suggested_at") == at
    if at is None:
        again = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--require", wanted, "--format", "jsonl").records[0]
        assert again["verdict"] == "equal"


def test_no_requirement_where_none_helps(run: Run, tmp_path: Path) -> None:
    for file, value in (("a", "x[i]"), ("b", "x[i] + 1.0f")):
        (tmp_path / f"{file}.cu").write_text(
            "// spmd: block=64 grid=2 n=103\n"
            f"__global__ void copy(const float *x, float *y, int n) {{ {COPY.format('n').replace('x[i]', value)} }}\n")
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--suggest", "--format", "jsonl").records[0]
    assert record["verdict"] == "different" and "suggested" not in record


LONG = "__global__ void scale(const {0} *x, {0} *y, int n) {{ int i = blockIdx.x * 128 + threadIdx.x; if (i < {1}) {2} }}\n"
EACH = LONG.format("float", "n", "y[i] = 2 * x[i];")
QUAD = LONG.format("float4", "n / 4", "{ float4 v = x[i]; y[i] = make_float4(v.x + v.x, v.y + v.y, v.z + v.z, v.w + v.w); }")
GRID = "// spmd: block=128 grid=(n+127)/128 require n >= 1, n <= 1000000\n"
SHORT = "__global__ void pairs(const float *x, float *y, int rows, int cols) {{ int r = blockIdx.x * 64 + threadIdx.x; {0} }}\n"
ROWS = "// spmd: block=64 grid=(rows+63)/64 require rows >= 1, rows <= 5000, cols >= 1, cols <= 5000\n"
SUM = "if (r < rows) {{ float s = 0; for (int j = 0; j < {0}; j++) s += {1}; y[r] = s; }}"
FOR_ALL = {
    "as many as there are threads": (GRID + EACH, "// spmd: block=256 grid=4 require n >= 1, n <= 1000000\n"
                                     + EACH.replace("* 128", "* 256"), "n <= 1024"),
    "whole quads": (GRID + EACH, GRID + QUAD, "n % 4 == 0"),
    "whole quads and few": (GRID + EACH, "// spmd: block=128 grid=2 require n >= 1, n <= 1000000\n" + QUAD,
                            "n % 4 == 0 && n <= 1024"),
    "pairs of columns": (ROWS + SHORT.format(SUM.format("cols", "x[r * cols + j]")),
                         ROWS + SHORT.format(SUM.format("cols / 2", "x[r * cols + 2 * j] + x[r * cols + 2 * j + 1]")),
                         "cols % 2 == 0"),
    "a column at least for each lane": (
        ROWS + SHORT.format(SUM.format("cols", "x[r * cols + j]")),
        ROWS + SHORT.format("if (r < rows) { float s = 0; for (int j = 16; j < cols; j++) s += x[r * cols + j]; "
                            "for (int j = 0; j < 16; j++) s += x[r * cols + j]; y[r] = s; }"), "cols >= 16"),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", FOR_ALL)
def test_requirement_under_which_all_sizes_hold(name: str, run: Run, tmp_path: Path) -> None:
    """The weakest that is enough; it is, and without it the two are not equal."""
    a, b, wanted = FOR_ALL[name]
    for side, text in (("a", a), ("b", b)):
        (tmp_path / f"{side}.cu").write_text(text)
    files = tmp_path / "a.cu", tmp_path / "b.cu"
    record = run("equiv", *files, "--suggest", "--timeout", 300, "--format", "jsonl").records[0]
    assert record["verdict"] in ("different", "unknown", "nondeterministic")
    assert record["suggested"] == [wanted]
    assert "suggested_at" not in record
    again = run("equiv", *files, "--require", wanted, "--timeout", 300, "--format", "jsonl").records[0]
    assert again["verdict"] == "equal"
    assert again["scope"].startswith("all sizes under")


NEVER = {
    "another value": ("y[i] = 2 * x[i]", "y[i] = 2 * x[i] + 1"),
    "nothing but what the launch rules out": ("y[i] = x[i]", "y[i] = n >= 1 ? -x[i] : x[i]"),
    "one size alone": ("y[i] = x[i]", "y[i] = n == 1000003 ? x[i] : -x[i]"),
}


@pytest.mark.parametrize("name", NEVER)
def test_no_requirement_where_none_helps_for_all_sizes(name: str, run: Run, tmp_path: Path) -> None:
    """Nor one that no launch meets."""
    for side, text in zip("ab", NEVER[name], strict=True):
        (tmp_path / f"{side}.cu").write_text(GRID + LONG.format("float", "n", text + ";"))
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--suggest", "--timeout", 300, "--format", "jsonl").records[0]
    assert record["verdict"] == "different"
    assert "suggested" not in record


LITTLE = {
    "where nothing is stored": ("if (i < n && n > 64) y[i] = {0}x[i];", "n >= 1, n <= 100000", ""),
    "where nothing is stored, in whole multiples": ("if (i < n && n % 3 != 0) y[i] = {0}x[i];", "n >= 1, n <= 100000", ""),
    "at the largest size alone": ("if (i < n) y[i] = n < 128 ? {0}x[i] : 0;", "n >= 1, n <= 128", ""),
    "at the smallest size alone": ("if (i < n) y[i] = n > 64 ? {0}x[i] : 0;", "n >= 64, n <= 5000", ""),
    "where nothing is stored, at a launch": ("if (i < n && n % 2 == 1) y[i] = {0}x[i];", "n >= 1, n <= 100000", "n=65"),
}
MUCH = {
    "where something is stored": ("if (i < n) y[i] = n > 64 ? {0}x[i] : 0;", "n >= 1, n <= 100000", "", "n <= 64"),
    "where every third size stores": ("if (i < n && n % 3 == 0) y[i] = n > 64 ? {0}x[i] : 1;", "n >= 1, n <= 999", "", "n <= 64"),
    "where data decide": ("if (i < n && x[i] > 2) y[i] = n > 64 ? {0}x[i] : 0;", "n >= 1, n <= 100000", "", "n <= 64"),
    "two sizes": ("if (i < n) y[i] = n < 128 ? {0}x[i] : 0;", "n >= 1, n <= 129", "", "n >= 128"),
    "at a launch": ("if (i < n) y[i] = n % 2 == 1 ? {0}x[i] : 0;", "n >= 1, n <= 100000", "n=65", "n % 2 == 0"),
}


def suggested_of(run: Run, folder: Path, body: str, required: str, at: str) -> list[str] | None:
    for side, factor in (("a", ""), ("b", "2 * ")):
        (folder / f"{side}.cu").write_text(
            f"// spmd: block=64 grid=(n+63)/64 require {required}\n__global__ void k(const float *x, float *y, int n) {{\n"
            f"  int i = blockIdx.x * 64 + threadIdx.x; {body.format(factor)}\n}}\n")
    given = ["--arg", at] if at else []
    record = run("equiv", folder / "a.cu", folder / "b.cu", *given, "--suggest", "--timeout", 300, "--format", "jsonl").records[0]
    assert record["verdict"] == "different"
    found: list[str] | None = record.get("suggested")
    return found


@pytest.mark.parametrize("name", LITTLE)
def test_no_requirement_under_which_an_equality_says_nothing(name: str, run: Run, tmp_path: Path) -> None:
    assert suggested_of(run, tmp_path, *LITTLE[name]) is None


@pytest.mark.parametrize("name", MUCH)
def test_requirement_under_which_an_equality_says_something(name: str, run: Run, tmp_path: Path) -> None:
    *pair, wanted = MUCH[name]
    assert suggested_of(run, tmp_path, *pair) == [wanted]
