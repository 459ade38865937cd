"""What published kernels hold: structures of many pointers, signs of bits, what to type for files that a switch leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """struct A { %s; float *o; int n; };
__global__ void k(A a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.n) %s;
}
"""
MANY, ROWS = "float *w[94]", "float *w[4][110]"
CASES = {
    "none of them is named": (MANY, "a.o[i] = i", "proved"),
    "one is read": (MANY, "a.o[i] = a.w[3][i]", "proved"),
    "one is written": (MANY, "a.w[3][i] = a.w[4][i]", "proved"),
    "two cells of one": (MANY, "a.w[3][i] = a.w[3][i + 1]", "refuted"),
    "one cell by two threads": (MANY, "a.w[3][i / 2] = i", "refuted"),
    "of rows": (ROWS, "a.w[1][3][i] = a.w[0][3][i]", "proved"),
    "of rows, one cell by two threads": (ROWS, "a.w[1][3][i / 2] = i", "refuted"),
}


@pytest.mark.parametrize(("fields", "code", "verdict"), CASES.values(), ids=CASES)
def test_a_structure_of_many_pointers(fields: str, code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL % (fields, code))
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict


def test_the_sign_of_bits_by_cudas_own_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "#define ROTL1(x) ((x << 1) | __signbit(*reinterpret_cast<double *>(&x)))\n"
        "__global__ void k(unsigned long *a) { unsigned long x = a[threadIdx.x]; a[threadIdx.x] = ROTL1(x) + __signbitf(1); }\n")
    assert run("check", tmp_path / "k.cu", "--block", "64", "--grid", "1").out.startswith("proved k")


SWITCHED = """#ifdef USE_IT
template <typename T> __device__ T twice(T x) { return x + x; }
__launch_bounds__(64) __global__ void k(int *a) { a[threadIdx.x] = twice(%s); }
#endif
"""


@pytest.mark.parametrize(("text", "told"), [
    (SWITCHED % "1", "'k' stands under #ifdef USE_IT (line 1); state what they ask for, for example -D USE_IT=1"),
    (SWITCHED.replace("#ifdef USE_IT", '#ifndef USE_IT\n#error "USE_IT is required"\n#else') % "1",
     "'k' stands under #else of #ifndef USE_IT (line 3); state what they ask for, for example -D USE_IT=1"),
    (SWITCHED.replace("#ifdef USE_IT", "#if WIDTH > 3") % "1", "'k' stands under #if WIDTH > 3 (line 1)"),
    ("__device__ int f() { return 3; }\n", "nothing is marked __global__"),
])
def test_a_file_that_a_switch_of_the_build_leaves_out(text: str, told: str, run: Run, tmp_path: Path) -> None:
    """The switch is named, and what to type."""
    (tmp_path / "k.cu").write_text(text)
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "invalid" and told in record["reason"] and ("next" in record) == ("-D" in told)
    if "next" in record:
        command = record["next"].partition("   (")[0].split()
        assert command[-2:] == ["-D", "USE_IT=1"]
        assert run(*command[1:], "--block", "64", "--grid", "1").out.startswith("proved k")


CALLED_BEHIND_A_SWITCH = """#ifdef USE_IT
__device__ inline int twice(int x) { return x + x; }
#endif
template <int N> __global__ void k(int *a) {
    if (N) a[threadIdx.x] = twice(threadIdx.x);
}
int main() { int *a; k<1><<<1, 64>>>(a); k<0><<<1, 64>>>(a); }
"""


@pytest.mark.parametrize(("old", "new", "verdict"), [
    ("", "", "proved"),
    ("[threadIdx.x] = twice", "[threadIdx.x / 2] = twice", "refuted"),
    ("#ifdef USE_IT", "#if USE_IT > 3", "invalid"),
    ("#ifdef", "int wide() { return USE_IT; }\n#ifdef", "invalid"),
    ("#endif", "#endif\n#ifdef OTHER\n__device__ inline int twice(int x) { return x; }\n#endif", "invalid"),
])
def test_a_function_that_a_switch_of_the_build_leaves_out(old: str, new: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """A build in which the kernel compiles has the switch on; not said where that is a number, or another one does it, too."""
    (tmp_path / "k.cu").write_text(CALLED_BEHIND_A_SWITCH.replace(old, new))
    records = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert {record["verdict"] for record in records if record["kernel"] == "k<1>"} == {verdict}
    told = "compiled with -D USE_IT=1, for 'twice' stands under #ifdef USE_IT (line 1)"
    assert all((told in record["assumptions"]) == (verdict != "invalid") for record in records if record["kernel"] == "k<1>")


FOR_BOTH_SIDES = """template <int N> struct S {
#ifdef __CUDA_ARCH__
  template <bool B> static constexpr __device__ unsigned dev(const int *x, int *y) {
    y[%s] = x[threadIdx.x] + (B ? 1 : 2);
    return 0;
  }
#endif
  template <bool B, typename T> static constexpr __host__ __device__ unsigned both(const T *x, T *y) {
#ifdef __CUDA_ARCH__
    return dev<B>(x, y);
#else
    return 0;
#endif
  }
};
template <class F> __global__ void k(const int *x, int *y) { __syncthreads(); F::template both<true>(x, y); }
void go(const int *x, int *y) { S<4>::both<true>(x, y); }
int main() { int *x, *y; k<S<4>><<<1, 32>>>(x, y); }
"""


@pytest.mark.parametrize(("cell", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted")])
def test_a_function_of_both_sides_calls_the_devices_own(cell: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """A host function that uses it too makes it one that the host's compiler would emit."""
    (tmp_path / "k.cu").write_text(FOR_BOTH_SIDES % cell)
    (record,) = run("check", tmp_path / "k.cu", "--block", "32", "--grid", "1", "--format", "jsonl").records
    assert record["verdict"] == verdict


@pytest.mark.parametrize(("value", "verdict"), [
    ("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted"), ("x + threadIdx.x", "refuted")])
def test_the_first_value_names_the_local_itself(value: str, verdict: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(f"__global__ void k(int *a) {{ int x = x = {value}; a[x] = threadIdx.x; }}\n")
    (record,) = run("check", tmp_path / "k.cu", "--block", "32", "--grid", "1", "--format", "jsonl").records
    assert record["verdict"] == verdict
