"""Where wide accesses through casts lie: behind pointers that change, in arrays of a thread, in packed records; what runs say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
BEGIN = "begins at a multiple of 16 bytes"
ASSUMED = "wide accesses through casts are aligned"


def asked(run: Run, path: Path, *requires: str, args: tuple[str, ...] = ()) -> dict[str, object]:
    flags = [word for text in requires for word in ("--require", text)]
    (record,) = run("check", path, *args, *flags, "--format", "jsonl").records
    return record


def assumed(record: dict[str, object]) -> list[str]:
    """What is assumed of where arrays begin, and of accesses."""
    texts: list[str] = record["assumptions"]  # type: ignore[assignment]
    return [text for text in texts if ("begin" in text and "multiple" in text) or ASSUMED in text]


def confirmed(record: dict[str, object]) -> set[str]:
    return {each["rule"] for each in record["findings"] if each["status"] == "confirmed"}  # type: ignore[attr-defined]


IN_ROUNDS = """__global__ void k(float *x, const float *y, const float *z, const int *idx, int n, int s) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  {0};
  for (int j = 0; j < n; ++j) {{
    sum += {1};
    {2};
  }}
  x[i] = sum;
}}
"""
CAST = "reinterpret_cast<const float4 *>(p)->y"


LINE = f"{ASSUMED} (line 6)"


@pytest.mark.parametrize(("start", "read", "step", "verdict", "left"), [
    ("const float *p = y", CAST, "p += 4", "proved", ["y {} (line 6)"]),
    ("const float *p = y", CAST, "p += 2", "refuted", ["y {} (line 6)"]),
    ("const float *p = y + 1", CAST, "p += 4", "refuted", ["y {} (line 6)"]),
    ("const float *p = y", CAST, "p += 4 * s", "proved", ["y {} (line 6)"]),
    ("const float *p = y", CAST, "p += s", "proved", ["y {} (line 6)", LINE]),
    ("const float *p = y", CAST, "p += idx[j]", "proved", ["y {} (line 6)", LINE]),
    ("const float *p = s > 3 ? y : z + 4", CAST, "++i", "proved", ["y, z begin at multiples of 16 bytes (line 6)"]),
    ("const float *p = s > 3 ? y : z + 2", CAST, "++i", "refuted", ["y, z begin at multiples of 16 bytes (line 6)"]),
    ("const float4 *p = (const float4 *)y", "p->y", "++p", "proved", ["y {} (line 6)"]),
    ("const float4 *p = (const float4 *)y", "p[s].z", "p += s", "proved", ["y {} (line 6)"]),
    ("const float *p = y", "*p", "p += 1", "proved", []),
    ("const float *p[2] = {{y, y + 8}}", "((const float4 *)p[j % 2])->x", "++s", "proved", ["y {} (line 6)", LINE]),
    ("const float *p[2] = {{y, y + 4}}", "reinterpret_cast<const float4 *>(p[1])->x", "++s", "proved", ["y {} (line 6)"]),
    ("const float *p[2] = {{y, y + 3}}", "reinterpret_cast<const float4 *>(p[1])->x", "++s", "refuted", ["y {} (line 6)"]),
])
def test_a_pointer_that_changes(run: Run, kernel_file: Write, start: str, read: str, step: str, verdict: str,
                                left: list[str]) -> None:
    """Each object that it may point to begins somewhere, and the distance from there is decided."""
    record = asked(run, kernel_file(IN_ROUNDS.format(start, read, step).replace("{{", "{").replace("}}", "}")))
    assert record["verdict"] == verdict and assumed(record) == [text.format(BEGIN) for text in left]
    assert confirmed(record) == ({"misaligned"} if verdict == "refuted" else set())


@pytest.mark.parametrize(("start", "read"), [("const float *p = y", CAST), ("const float4 *p = (const float4 *)y", "p->x")])
@pytest.mark.parametrize(("requires", "verdict"), [
    (("aligned(y, 16)", "s % 4 == 0"), "proved"), (("aligned(y, 16)", "s % 4 == 2"), "refuted"),
    (("aligned(y, 8)", "s % 4 == 0"), "refuted"),
])
def test_a_pointer_that_changes_in_a_stated_array(run: Run, kernel_file: Write, start: str, read: str, requires: tuple[str, ...],
                                                  verdict: str) -> None:
    record = asked(run, kernel_file(IN_ROUNDS.format(start, read, "p += s")), *requires)
    is_whole = "float4" in start and "aligned(y, 16)" in requires
    assert record["verdict"] == ("proved" if is_whole else verdict) and assumed(record) == []


@pytest.mark.parametrize(("declared", "read", "verdict", "left"), [
    ("float a[12]", "a + 4", "proved", "a {} (line 5)"), ("float a[12]", "a + 1", "refuted", "a {} (line 5)"),
    ("float4 a[3]", "a + 1", "proved", ""),
])
def test_an_array_of_a_thread(run: Run, kernel_file: Write, declared: str, read: str, verdict: str, left: str) -> None:
    text = f"""__global__ void k(float *x, const float *y) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {declared};
  for (int j = 0; j < 12; ++j) ((float *)a)[j] = y[j];
  x[i] = reinterpret_cast<float4 *>({read})->x;
}}
"""
    record = asked(run, kernel_file(text))
    assert record["verdict"] == verdict and assumed(record) == ([left.format(BEGIN)] if left else [])


@pytest.mark.parametrize(("where", "verdict"), [("tab[i]", "proved"), ("tab[i] + 4", "proved"), ("tab[i] + 1", "refuted")])
def test_what_pointers_in_memory_lead_to(run: Run, kernel_file: Write, where: str, verdict: str) -> None:
    text = (f"__global__ void k(float *x, float **tab) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  x[i] = reinterpret_cast<float4 *>({where})->x;\n}}\n")
    record = asked(run, kernel_file(text))
    assert record["verdict"] == verdict and assumed(record) == [f"tab.to {BEGIN} (line 3)"]


@pytest.mark.parametrize(("params", "pointer", "name"), [
    ("S s", "s.p", "s.p"), ("float **tab", "tab[i]", "tab.to"), ("const S *tab", "tab[i].p", "tab.p.to"),
])
@pytest.mark.parametrize(("bytes_of", "verdict"), [(16, "proved"), (8, "refuted")])
def test_names_with_dots(run: Run, kernel_file: Write, params: str, pointer: str, name: str, bytes_of: int, verdict: str) -> None:
    """What is printed of them can be stated of them."""
    path = kernel_file(f"struct S {{ float *p; int n; }};\n__global__ void k(float *x, {params}) {{\n"
                       f"  int i = threadIdx.x;\n  x[i] = reinterpret_cast<float4 *>({pointer})->x;\n}}\n")
    assert assumed(asked(run, path)) == [f"{name} {BEGIN} (line 4)"]
    record = asked(run, path, f"aligned({name}, {bytes_of})")
    assert record["verdict"] == verdict and assumed(record) == []
    assert "is no array of kernel" in str(asked(run, path, "aligned(x.y, 16)")["reason"])


PACKED = """struct __attribute__((packed)) P {{ char c; int v; int w[2]; }};
__global__ void k(int *x, const P *y, const char *bytes) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {};
}}
"""


@pytest.mark.parametrize(("stmt", "verdict"), [
    ("x[i] = y[i].v", "proved"), ("x[i] = ((const P *)(bytes + 1))[i].v", "proved"),
    ("x[i] = ((const P *)(bytes + 1))[i].w[i % 2]", "proved"), ("P p = ((const P *)(bytes + 1))[i]; x[i] = p.v", "proved"),
    ("const int *p = &y[i].v; x[i] = *p", "refuted"), ("const int *p = &((const P *)bytes)[i].v; x[i] = *p", "refuted"),
    ("x[i] = *(const int *)(bytes + 1)", "refuted"),
])
def test_packed_records(run: Run, kernel_file: Write, stmt: str, verdict: str) -> None:
    """A field of one lies anywhere, and is read so; a pointer to it promises what its type does."""
    record = asked(run, kernel_file(PACKED.format(stmt)))
    assert record["verdict"] == verdict
    assert [each["rule"] for each in record["findings"]] == ["misaligned"] * (verdict == "refuted")  # type: ignore[attr-defined]


COPIED = """// spmd: block=32 grid=1
#include <cuda_pipeline.h>
__global__ void k(float *x, const float *y) {{
  __shared__ float t[300];
  int i = threadIdx.x;
  __pipeline_memcpy_async(t + {}, y + {}, {});
  __pipeline_commit();
  __pipeline_wait_prior(0);
  x[i] = t[{}];
}}
"""


@pytest.mark.parametrize(("to", "source", "size", "verdict"), [
    ("4 * i", "4 * i", 16, "proved"), ("4 * i + 2", "4 * i", 16, "refuted"), ("4 * i", "4 * i + 1", 16, "refuted"),
    ("4 * i + 2", "4 * i + 2", 8, "proved"), ("2 * i", "i", 8, "refuted"), ("i + 1", "i + 3", 4, "proved"),
])
def test_asynchronous_copies(run: Run, kernel_file: Write, to: str, source: str, size: int, verdict: str) -> None:
    record = asked(run, kernel_file(COPIED.format(to, source, size, to)))
    found = [each["rule"] for each in record["findings"] if each["status"] == "confirmed"]  # type: ignore[attr-defined]
    assert record["verdict"] == verdict and found == ["misaligned"] * (verdict == "refuted")
    assert assumed(record) == ([f"y, t begin at multiples of {size} bytes (line 6)"] if size > 4 else [])


@pytest.mark.parametrize("distance", ["1 + 4 * i", "4 + 4 * i", "1", "4"])
def test_a_size_that_decides_only_whether(run: Run, kernel_file: Write, distance: str) -> None:
    """The distance names no such size: the one at which it is reached is no multiple, and the distance still is none."""
    path = kernel_file(f"""__global__ void k(float *x, const float *y, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n == 3) x[i] = reinterpret_cast<const float4 *>(y + {distance})->x;
}}
""")
    record, is_good = asked(run, path), distance.startswith("4")
    assert confirmed(record) == (set() if is_good else {"misaligned"}) and assumed(record) == [f"y {BEGIN} (line 3)"]


UNDECIDED = """__global__ void k(float *x, const float *y, const int *idx, int n, float f) {{
  int i = threadIdx.x;
  x[__brev(i) >> 27] = reinterpret_cast<const float4 *>(y + {})->x;
}}
"""


@pytest.mark.parametrize(("distance", "verdict", "is_assumed"), [
    ("n * i", "unknown", True), ("4 * n * i", "unknown", False), ("2 * i", "refuted", False), ("2 * n * i + 1", "refuted", False),
    ("n * i + (int)f", "unknown", True), ("n + idx[i]", "unknown", True),
])
def test_a_run_that_breaks_an_assumption(run: Run, kernel_file: Write, distance: str, verdict: str, is_assumed: bool) -> None:
    """That no two threads meet is not shown for all sizes: runs are tried. What they break that is assumed is no finding."""
    record = asked(run, kernel_file(UNDECIDED.format(distance)), args=("--block", "32", "--grid", "1"))
    assert record["verdict"] == verdict and (f"{ASSUMED} (line 3)" in assumed(record)) == is_assumed
    assert confirmed(record) == ({"misaligned"} if verdict == "refuted" else set())


AMPLIFIED = """__global__ void k(float *x, const float *y, const int *idx) {{
  int i = threadIdx.x, q = i * 37 % 32 / 31 + 1;
  {}
  for (int a = 0; a < q; ++a) for (int b = 0; b < q; ++b) for (int c = 0; c < q; ++c) for (int d = 0; d < q; ++d)
    for (int e = 0; e < q; ++e) for (int f = 0; f < q; ++f) for (int g = 0; g < q; ++g) x[i + 64] += a + g;
}}
"""
FAR = "x[i] = reinterpret_cast<const float4 *>(y + (idx[i] & ~3) + (idx[i] > 2000000))->x;"
RARE = "if (idx[i] > 2000000) x[i] = reinterpret_cast<const float4 *>(y + 1)->x;"
SEEN = RARE.replace("2000000", "1000")
"""Data are made up about numbers that are compared, unless those are too large."""
EACH = "x[i] = reinterpret_cast<const float4 *>(y + 4 * i)->x;"


@pytest.mark.parametrize(("stmt", "requires", "verdict", "is_assumed"), [
    (FAR, (), "proved", True), (FAR, ("aligned(y, 16)",), "unknown", False),
    (RARE, (), "proved", True), (RARE, ("aligned(y, 16)",), "unknown", False), (RARE, ("aligned(y, 8)",), "unknown", False),
    (SEEN, (), "refuted", False), (SEEN, ("aligned(y, 16)",), "refuted", False),
    (EACH, (), "proved", False), (EACH, ("aligned(y, 16)",), "proved", False), (EACH, ("aligned(y, 8)",), "refuted", False),
])
def test_one_run_does_not_speak_of_other_data(run: Run, kernel_file: Write, stmt: str, requires: tuple[str, ...], verdict: str,
                                              is_assumed: bool) -> None:
    """No proof covers loops so deep: one run is amplified to all data. In it no access is misaligned, with other data one is."""
    record = asked(run, kernel_file(AMPLIFIED.format(stmt)), *requires, args=("--block", "32", "--grid", "1"))
    assert record["verdict"] == verdict and (f"{ASSUMED} (line 3)" in assumed(record)) == is_assumed
    if verdict == "unknown":
        assert record["properties"]["bounds"] == "unknown"  # type: ignore[index]


@pytest.mark.parametrize("second", ["(int)__brev(__brev(4 * i))", "4 * i", "2 * i"])
def test_several_at_one_place(run: Run, kernel_file: Write, second: str) -> None:
    """Where the distance of one call is data, no run tells that it is the other's that is none."""
    text = """__device__ float first(const float *p) { return reinterpret_cast<const float4 *>(p)->x; }
__global__ void k(float *x, const float *y, const int *idx) {
  int i = threadIdx.x;
  x[i] = first(y + idx[i]) + first(y + %s);
}
"""
    record = asked(run, kernel_file(text % second))
    assert record["verdict"] == "proved" and f"{ASSUMED} (line 1)" in assumed(record)


@pytest.mark.parametrize(("requires", "words"), [
    ((), "a wide access at an address that is not a multiple of its width"),
    (("aligned(y, 16)",), "a wide access at an address that is not a multiple of its width"),
    (("aligned(y, 8)",), "an access that wants a multiple of 16 bytes, and 'y' need not begin at one"),
])
def test_a_distance_that_is_a_number(run: Run, kernel_file: Write, requires: tuple[str, ...], words: str) -> None:
    """What is wrong is told: the distance, or where the array begins."""
    path = kernel_file("__global__ void k(float *x, const float *y) { x[threadIdx.x] = ((const float4 *)(y + 1))->x; }\n")
    assert [each["message"] for each in asked(run, path, *requires)["findings"] if each["rule"] == "misaligned"] == [words]  # type: ignore[attr-defined]


LAUNCHED = """int get();
__global__ void k(float *x, const float *y, const int *idx, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {}x[i] = reinterpret_cast<const float4 *>(y + {})->x;
}}
int main(int argc, char **argv) {{
  float *x, *y; int *idx, n = {};
  cudaMalloc(&x, 1024 * sizeof(float)); cudaMalloc(&y, 65536 * sizeof(float)); cudaMalloc(&idx, 1024 * sizeof(int));
  k<<<2, 32>>>(x, y, idx, n);
}}
"""


@pytest.mark.parametrize(("guard", "distance", "n", "verdict"), [
    ("", "4 * i + 1", "3", "refuted"), ("", "4 * i + 4", "3", "proved"), ("if (n == 3) ", "4 * i + 1", "3", "refuted"),
    ("if (n == 3) ", "4 * i + 1", "4", "proved"), ("if (idx[i] > 1000) ", "1", "3", "unknown"),
    ("", "4 * i + n + 1", "4 * get()", "unknown"),
])
def test_as_launched(run: Run, kernel_file: Write, guard: str, distance: str, n: str, verdict: str) -> None:
    """A finding at a launch of the host hangs on what decides the distance, or whether it is reached, and on nothing else."""
    record = asked(run, kernel_file(LAUNCHED.format(guard, distance, n)))
    assert record["verdict"] == verdict
    assert [each["rule"] for each in record["findings"]] == ["misaligned"] * (verdict != "proved")  # type: ignore[attr-defined]
