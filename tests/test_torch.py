"""Extensions of PyTorch, whose headers a checkout does not hold: the stub stands for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host.tokens import Tokens
from automata.lang.source import Text

HEAD = "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n"
ROWS = """template <typename scalar_t> __global__ void rows(const scalar_t *x, scalar_t *y, int n) {
  __shared__ scalar_t s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
"""
LAUNCH = """torch::Tensor run(torch::Tensor x) {{
  TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "a tensor on the device is wanted");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty({{x.size(0), x.size(1)}}, x.options());
  const int n = x.numel();
  const int threads = {threads};
  auto stream = at::cuda::getCurrentCUDAStream();
  {dispatch}(x.scalar_type(), "rows", ([&] {{
    rows<scalar_t><<<n / threads, threads, 0, stream>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
  }}));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def("run", &run, "rows turned round"); }}
"""


def launched(dispatch: str, threads: int = 256) -> str:
    return HEAD + ROWS + LAUNCH.format(dispatch=dispatch, threads=threads)


@pytest.mark.parametrize(("dispatch", "types"), [
    ("AT_DISPATCH_FLOATING_TYPES", {"float", "double"}),
    ("AT_DISPATCH_FLOATING_TYPES_AND_HALF", {"float", "double", "c10::Half"}),
    ("AT_DISPATCH_REDUCED_FLOATING_TYPES", {"c10::Half", "c10::BFloat16"}),
    ("AT_DISPATCH_INTEGRAL_TYPES", {"unsigned char", "signed char", "short", "int", "long"}),
])
def test_each_type_of_elements_is_launched(run: Run, kernel_file: Callable[..., Path], dispatch: str, types: set[str]) -> None:
    records = run("check", kernel_file(launched(dispatch)), "--format", "jsonl").records
    assert {record["kernel"] for record in records} == {f"rows<{name}>" for name in types}
    for record in records:
        assert record["verdict"] == "proved", record
        assert "blockDim.x == 256" in str(record["scope"])


OWN = """#define CASES(...) AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__) AT_DISPATCH_CASE(at::kHalf, __VA_ARGS__) \\
  AT_DISPATCH_CASE(torch::ScalarType::BFloat16, __VA_ARGS__)
#define OWN_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, CASES(__VA_ARGS__))
"""


def test_a_macro_of_the_program_s_own_names_types(run: Run, kernel_file: Callable[..., Path]) -> None:
    text = launched("OWN_TYPES").replace(ROWS, OWN + ROWS)
    records = run("check", kernel_file(text), "--format", "jsonl").records
    assert {record["kernel"]: record["verdict"] for record in records} == dict.fromkeys(
        ("rows<float>", "rows<c10::Half>", "rows<c10::BFloat16>"), "proved")
    for record in records:
        assert "blockDim.x == 256" in str(record["scope"])


def test_a_launch_with_other_sizes_is_refuted(run: Run, kernel_file: Callable[..., Path]) -> None:
    """The launch decides: 128 threads leave half of the row unwritten before it is read."""
    records = run("check", kernel_file(launched("AT_DISPATCH_FLOATING_TYPES", 128)), "--format", "jsonl").records
    assert [record["verdict"] for record in records] == ["refuted", "refuted"]


ACCESSOR = HEAD + """
template <typename T> __global__ void scaled(const torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> x,
                                             torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> y) {{
  const int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if ({guard}) y[row][{index}] = x[row][column] * T(2);
}}
template __global__ void scaled<float>(const torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits>,
                                       torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits>);
"""


def test_accessors_are_tensors_that_are_contiguous(run: Run, kernel_file: Callable[..., Path]) -> None:
    text = ACCESSOR.format(guard="row < y.size(0) && column < y.size(1)", index="column")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == "proved", record
    assert any("contiguous" in assumption for assumption in record["assumptions"])


def test_an_accessor_does_not_hide_a_race(run: Run, kernel_file: Callable[..., Path]) -> None:
    text = ACCESSOR.format(guard="row < y.size(0) && column < y.size(1)", index="column / 2")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_rows_that_run_into_each_other_race(run: Run, kernel_file: Callable[..., Path]) -> None:
    """Without the test of the column a row's end is the next one's beginning."""
    text = ACCESSOR.format(guard="row < y.size(0)", index="column")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


BUILT = """#include <ATen/ATen.h>
namespace mine {
template<class T, size_t N, template<typename U> class P = at::DefaultPtrTraits, class I = int64_t>
struct Accessor : public at::TensorAccessorBase<T, N, P, I> {
  __device__ Accessor(T *data, const I *sizes, const I *strides) : at::TensorAccessorBase<T, N, P, I>(data, sizes, strides) {}
  __device__ T &operator[](I at) const { return this->data_[this->strides_[0] * at]; }
};
template<class T, size_t N, template<typename U> class P = at::DefaultPtrTraits, class I = int64_t>
struct Packed : public at::GenericPackedTensorAccessorBase<T, N, P, I> {
  __device__ T &operator[](I at) const { return this->data_[this->strides_[0] * at]; }
};
}
// spmd: block=64 grid=1
__global__ void k(float *y, const int64_t *sizesPACKED) { BODY }
"""


@pytest.mark.parametrize(("body", "verdict"), [
    ("y[threadIdx.x] = 1;", "proved"),
    ("y[threadIdx.x / 2] = threadIdx.x;", "refuted"),
    ("packed[threadIdx.x] = threadIdx.x;", "refuted"),
    ("mine::Accessor<float, 1> a(y, sizes, sizes); a[threadIdx.x] = 1;", "unsupported"),
])
def test_a_class_of_the_programs_own_on_one_of_pytorchs(body: str, verdict: str, run: Run,
                                                        kernel_file: Callable[..., Path]) -> None:
    """A kernel that uses nothing of it is read; strides may be anything, and a constructor without a body is refused."""
    text = BUILT.replace("BODY", body).replace("PACKED", ", mine::Packed<float, 1> packed" if "packed" in body else "")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def tokens(text: str) -> list[str]:
    return Tokens(Text("", text, (0,), ((0, True),), (), (), text)).text


@pytest.mark.parametrize(("before", "after"), [
    ("{ using t = double; f<t>(t(1)); }", "{ ; f<double>(double(1)); }"),
    ("{ using t = at::Half; g(sizeof(t)); { using t = int; f<t>(); } f<t>(); }",
     "{ ; g(sizeof(at::Half)); { ; f<int>(); } f<at::Half>(); }"),
    ("{ using t = unsigned int; const t a = 1; }", "{ ; const unsigned int a = 1; }"),
    ("{ using t = double; } f<t>();", "{ ; } f<t>();"),
    ("{ using real = double; { using t = real; f<t>(); } }", "{ ; { ; f<double>(); } }"),
    ("{ using t = at::Half; v.at(0); f<at::Half, t>(at::zero()); }", "{ ; v.at(0); f<at::Half, at::Half>(at::zero()); }"),
    ("{ using t = real; { using real = int; f<t, real>(); } }", "{ ; { ; f<real, int>(); } }"),
    ("{ using t = double; f((t)x, (t)1, sizeof(t), a ? t(1) : t(0)); g([](t a, t b) { return a; }); }",
     "{ ; f((double)x, (double)1, sizeof(double), a ? double(1) : double(0)); g([](double a, double b) { return a; }); }"),
    ("{ using t = vector<int>; f<t>(); }", "{ ; f<vector<int> >(); }"),
    ("{ struct S { int a; }; using t = S; f<t *, const t &>(); }", "{ struct S { int a; }; ; f<S *, const S &>(); }"),
])
def test_names_of_blocks_are_put_in(before: str, after: str) -> None:
    assert tokens(before) == tokens(after)


@pytest.mark.parametrize("text", [
    "{ using t = double; a.t = 1; }", "{ using t = double; a->t(1); }", "{ using t = double; b::t(1); }",
    "{ using t = double; int t = 4; f(t); }", "{ using t = double; int a, t; }", "{ using t = double; int a, t, b; f<t>(); }",
    "{ using t = vector<int>; { struct vector {}; f<t>(); } }", "{ using t = v<real>; { struct real {}; f<t>(); } }",
    "{ using t = vector<int>; { int vector = 4; f<t>(); } }", "{ using t = int*; f<t>(); }",
    "{ using t = double; { using t = int*; f<t>(); } }",
    "{ using t = double; { typedef int t; f<t>(); } }", "{ using t = double; auto g = [](auto t) { return t; }; }",
    "using t = double; f<t>();",
    "{ using t = double; { auto [t, a] = g(); f((t) + 64); } }", "{ using t = double; { int const t(128); f((t) + 64); } }",
    "{ using t = double; { int (t)(128); f((t) + 64); } }", "{ using t = double; { int ((t))(128); f((t) + 64); } }",
    "{ using t = double; { int a = b < c, t{128}; f((t) + 64); } }",
    "{ using t = double; { int a = 1, (t)(128); f((t) + 64); } }",
    "{ using t = double; { enum { t, a }; f((t) + 64); } }", "{ using t = double; { struct S { int a; } t{128}; f((t) + 64); } }",
    "{ using t = double; { int *t(p); f((t) + 64); } }", "{ using t = double; struct L : B { void go() { f<t>(); } }; }",
    "struct S { void go() { f<t>(); } using t = double; };",
    "namespace a { using t = double; } namespace a { void go() { f<t>(); } }",
    "struct alignas(8) S : B { using t = double; };", "{ using t = real; { typedef float real; f<t>(); } }",
    "{ using t = at::Half; { namespace at = b; f<t>(); } }", "{ using t = real; { struct real {}; f<t>(); } }",
])
def test_other_names_are_left(text: str) -> None:
    """What may be anything but that type is left as it is: its value is not known then."""
    assert "".join(tokens(text)) == text.replace(" ", "")


FLOAT8 = """#include <torch/all.h>
using F = c10::Float8_e4m3fn;
C10_HOST_DEVICE constexpr auto MOST = std::numeric_limits<F>::max();
__global__ void k(F *o, int *places, const float *a, float s) {
  float r = fmax(-MOST, fmin(a[threadIdx.x] * s, MOST));
  o[threadIdx.x] = static_cast<c10::Float8_e4m3fn>(r);
  places[MOST.x == CODE ? threadIdx.x : 0] = threadIdx.x;
}
"""


@pytest.mark.parametrize(("code", "verdict"), [("0x7E", "proved"), ("0x7F", "refuted")])
def test_floats_of_eight_bits(code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """What the largest is decides where threads write."""
    (tmp_path / "k.cu").write_text(FLOAT8.replace("CODE", code))
    record = run("check", tmp_path / "k.cu", "--block", 32, "--grid", 1, "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == verdict


NUMBERED = """#include <torch/extension.h>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <ATen/cuda/detail/IndexUtils.cuh>
__global__ void gather(const at::cuda::detail::TensorInfo<int64_t, int> info, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[PLACE] = x[i] + (float)info.data[at::cuda::detail::IndexToOffset<int64_t, int, 2>::get(i, info)];
}
"""


@pytest.mark.parametrize(("place", "verdict"), [("i", "proved"), ("i / 2", "refuted")])
def test_a_tensor_that_is_handed_with_its_sizes(place: str, verdict: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    file = kernel_file(NUMBERED.replace("PLACE", place))
    (record,) = run("check", file, "--block", "64", "--grid", "4", "--format", "jsonl").records
    assert record["verdict"] == verdict
