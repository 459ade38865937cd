"""What device code uses of Thrust: each class and function against what its page says, races through them, algorithms refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from test_groups import launch, program

HEAD = """#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>
#include <utility>
"""
SETUP = """thrust::complex<float> z(3, 4), w(1, -2); thrust::complex<double> d(0.5, 0.25);
thrust::pair<int, float> p(3, 1.5f), q(3, 2.5f);
int a = 0; float b = 0; char c = 0; auto t = thrust::make_tuple(1, 2.5f, (char)3); std::pair<int, int> s(4, 5), u;"""
ROWS: dict[str, float] = {
    "(z * w).real()": 11, "(z * w).imag()": -2, "(z / w).real()": -1, "(z / w).imag()": 2, "(z + w).imag()": 2,
    "(z - 1).real()": 2,
    "(1 - z).imag()": -4, "(z * 2.0f).imag()": 8, "(2 / w).real()": 0.4,
    "(z / 2).imag()": 2, "(-w).imag()": 2, "(+w).real()": 1,
    "(z += w, z.real())": 4, "(z -= 1, z.real())": 2, "(z *= w, z.imag())": -2, "(z /= 2, z.real())": 1.5, "(z = 7, z.imag())": 0,
    "(z * d).real()": 0.5, "sizeof((z * d).real())": 8, "thrust::abs(z)": 5, "thrust::norm(z)": 25, "thrust::conj(z).imag()": -4,
    "thrust::arg(thrust::complex<float>(0, 1))": math.atan2(1, 0), "thrust::polar(2.0f, 0.0f).real()": 2,
    "thrust::norm(thrust::complex<float>(3e-20f, 4e-20f)) * 1e30": 2.5e-9, "(z == w) + 2 * (z != w)": 2,
    "z == thrust::complex<float>(3, 4)": 1,
    "(z.imag(9), z.imag())": 9, "thrust::complex<double>(z).imag()": 4, "alignof(thrust::complex<float>)": 8,
    "p.second": 1.5, "thrust::make_pair(5, 6.5).second": 6.5, "p < q": 1, "p == q": 0, "p >= q": 0,
    "p <= q": 1, "p != q": 1, "q > p": 1,
    "thrust::get<1>(p)": 1.5, "thrust::pair<int, int>().second": 0, "thrust::pair<double, double>(p).first": 3,
    "(thrust::tie(a, b) = q, a * 10 + b)": 32.5, "(thrust::tie(a, b, c) = t, a + b + c)": 6.5,
    "thrust::get<1>(t)": 2.5, "(thrust::get<2>(t) = 9, thrust::get<2>(t))": 9, "thrust::tuple_size<decltype(t)>::value": 3,
    "sizeof(thrust::tuple<char, char, int>)": 8, "sizeof(thrust::tuple_element<1, decltype(t)>::type)": 4,
    "thrust::maximum<int>()(3, 4) * 10 + thrust::minimum<int>()(3, 4)": 43, "thrust::plus<>()(1, 2.5)": 3.5,
    "thrust::multiplies<float>()(3, 4)": 12, "thrust::minus<int>()(3, 4)": -1, "thrust::divides<int>()(9, 4)": 2,
    "thrust::modulus<int>()(9, 4)": 1, "thrust::less<int>()(3, 4) + 2 * thrust::greater_equal<int>()(3, 4)": 1,
    "thrust::bit_xor<int>()(5, 3)": 6, "thrust::negate<int>()(5)": -5, "thrust::square<int>()(5)": 25,
    "thrust::identity<int>()(5)": 5,
    "s.second": 5, "u.first": 0, "s < std::make_pair(4, 6)": 1, "s == std::make_pair(4, 5)": 1, "s >= std::make_pair(5, 0)": 0,
    "thrust::pair<int, int>(s).second": 5,
}


def test_classes_and_functions_of_thrust(tmp_path: Path) -> None:
    stores = " ".join(f"{{ {SETUP} o[{at}] = (double)({text}); }}" for at, text in enumerate(ROWS))
    found = launch(program(f"{HEAD}__global__ void k(double *o) {{ {stores} }}", tmp_path), (1, 1, 1)).contents("o")
    for at, (text, wanted) in enumerate(ROWS.items()):
        assert math.isclose(found[at], wanted, rel_tol=1e-6), (text, found[at])


NEIGHBOUR = """{head}// spmd: block=64 grid=1
__global__ void k(const {type} *x, {type} *y) {{
  __shared__ {type} s[64];
  s[threadIdx.x] = x[threadIdx.x];
  {barrier}
  y[threadIdx.x] = s[63 - threadIdx.x];
}}"""


@pytest.mark.parametrize("barrier", ["__syncthreads();", ""])
@pytest.mark.parametrize("type", ["thrust::complex<float>", "thrust::complex<double>"])
def test_complex_numbers_in_shared_memory(type: str, barrier: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(NEIGHBOUR.format(head=HEAD, type=type, barrier=barrier))
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == ("proved" if barrier else "refuted")


PART = """{head}// spmd: block=64 grid=1
__global__ void k(thrust::complex<float> *y, const float *x) {{
  int i = threadIdx.x;
  {{ y[{at}].real(x[i]); y[i].imag(x[i]); }}
}}"""


@pytest.mark.parametrize("at", ["i", "i / 2"])
def test_parts_of_complex_numbers_in_memory(at: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(PART.format(head=HEAD, at=at))
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == ("proved" if at == "i" else "refuted")


THROUGH = """{head}// spmd: block=64 grid=1
__global__ void k(thrust::device_ptr<const float> x, thrust::device_ptr<float> y) {{
  int i = threadIdx.x;
  thrust::device_ptr<float> z = y + i;
  *z = x[i] + 1;
  y[i] += x[{at}] + thrust::raw_pointer_cast(y)[{at}];
}}"""


@pytest.mark.parametrize("at", ["i", "63 - i"])
def test_pointers_of_the_host(at: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(THROUGH.format(head=HEAD, at=at))
    assert run("check", path, "--format", "jsonl").records[0]["verdict"] == ("proved" if at == "i" else "refuted")


REFERENCES = "// spmd: block=64 grid=1\n__global__ void k(P<const float> x, P<float> y, P<float> z) {{ int i = threadIdx.x; {} }}"
POINTERS = HEAD + "template<class T> using P = thrust::device_ptr<T>;\n"


@pytest.mark.parametrize(("body", "verdict"), [
    ("auto r = y[i]; r = x[i] + 1;", "proved"), ("auto r = y[0]; r = x[i] + 1;", "refuted"),
    ("auto r = y[i]; r += x[63 - i]; *(z + i) = r;", "proved"), ("auto r = y[i]; r += y[63 - i];", "refuted"),
    ("P<float> p = &y[i]; *p = x[i]; __assert(p.get() == thrust::raw_pointer_cast(y) + i);", "proved")])
def test_references_of_the_host_write_through(body: str, verdict: str, run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(POINTERS + REFERENCES.format(body)), "--format", "jsonl").records[0]
    assert record["verdict"] == verdict, record


@pytest.mark.parametrize(("body", "value"), [
    ("auto r = y[i]; y[i] = 4.0f; float v = r;", 4.0), ("y[i] = 2.0f; float r = y[i]; y[i] = r + 1; float v = y[i] - r;", 1.0),
    ("y[i] = 2.0f; y[i] *= 3; auto r = *(y + i); ++r; r -= 0.5f; float v = thrust::raw_reference_cast(r);", 6.5),
    ("auto r = y[i]; auto q = z[i]; q = 3.0f; r = q; q = 1.0f; float v = y[i] * 10 + z[i];", 31.0)])
@pytest.mark.parametrize("off", [0, 1])
def test_references_of_the_host_are_read_when_used(body: str, value: float, off: int, run: Run, kernel_file: Any) -> None:
    path = kernel_file(POINTERS + REFERENCES.format(f"{body} __assert(v == {value + off}f);"))
    found = [finding["rule"] for finding in run("run", path, "--format", "jsonl").records[0]["findings"]]
    assert found == (["assertion"] if off else [])


PAIR = "__global__ void k(const float *x, const float *v, float *y) {{ int i = threadIdx.x; {} }}"
PRODUCT = """thrust::complex<float> z(x[2 * i], x[2 * i + 1]), w(v[2 * i], v[2 * i + 1]);
z = z * {}; y[2 * i] = z.real(); y[2 * i + 1] = z.imag();"""
BY_HAND = """float a = x[2 * i], b = x[2 * i + 1], c = v[2 * i], d = v[2 * i + 1];
y[2 * i] = a * c - b * d; y[2 * i + 1] = a * d + b * c;"""
TIED = "float m, n; thrust::tie(m, n) = thrust::make_pair({}); y[2 * i] = m; y[2 * i + 1] = n;"
PLAIN = "y[2 * i] = x[i]; y[2 * i + 1] = v[i];"


@pytest.mark.parametrize(("one", "two", "verdict"), [
    (PRODUCT.format("w"), BY_HAND, "equal"), (PRODUCT.format("thrust::conj(w)"), BY_HAND, "different"),
    (TIED.format("x[i], v[i]"), PLAIN, "equal"), (TIED.format("v[i], x[i]"), PLAIN, "different")])
def test_pairs_of_kernels(one: str, two: str, verdict: str, compared: Any) -> None:
    record = compared(*(f"{HEAD}// spmd: block=40 grid=1\n" + PAIR.format(body) for body in (one, two)))
    assert record["verdict"] == verdict, record


@pytest.mark.parametrize("call", [
    "thrust::sort(thrust::seq, y, y + 4);", "y[0] = thrust::exp(thrust::complex<float>(1, 2)).real();"])
def test_algorithms_are_refused_by_name(call: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(f"{HEAD}// spmd: block=1 grid=1\n__global__ void k(float *y) {{ {call} }}")
    record = run("check", path, "--format", "jsonl").records[0]
    assert record["verdict"] == "unsupported"
    assert "in namespace 'thrust'" in str(record)


def test_a_program_that_holds_thrust_is_read_with_its_own(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "thrust" / "pair.h"
    own.parent.mkdir()
    own.write_text("namespace thrust { template<class A, class B> struct pair { B second; A first; }; }\n")
    (tmp_path / "k.cu").write_text('#include "thrust/pair.h"\n// spmd: block=1 grid=1\n__global__ void k(int *y) '
                                   "{ thrust::pair<int, char> p{1, 2}; y[0] = p.first; __assert(p.first == 2); }")
    assert run("check", tmp_path / "k.cu", "--format", "jsonl").records[0]["verdict"] == "proved"


def test_the_versions_of_libraries(run: Run, tmp_path: Path) -> None:
    """They are the toolkit's, as the verdict says: a text may ask for newer ones than none."""
    (tmp_path / "k.cu").write_text(
        "#include <thrust/version.h>\n#include <cub/version.cuh>\n#if THRUST_VERSION < 100500 || CUB_VERSION < 100500\n"
        '#error "newer ones are required"\n#endif\n__global__ void k(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }\n')
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert any("THRUST_VERSION == 200700" in text and "CUB_VERSION == 200700" in text for text in record["assumptions"])
