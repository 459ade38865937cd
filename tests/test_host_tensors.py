"""Launches of extensions of PyTorch: which instance a tensor's pointer makes, and who calls a template of the host."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from test_host_abroad import blocks

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = """#include <torch/extension.h>
template <typename T> __global__ void k(T *a, int n) {}
template <typename T> __global__ void reads(const T *a, int n) {}
"""


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


GIVEN = {
    "a type": ("k<<<1, 64>>>(x.data_ptr<float>(), 3);", [("float",)]),
    "a class of PyTorch": ("k<<<1, 64>>>(x.data_ptr<at::Half>(), 3);", [("c10::Half",)]),
    "by a pointer to the tensor": ("k<<<1, 64>>>((&x)->mutable_data_ptr<int64_t>(), 3);", [("long",)]),
    "const, as the parameter is": ("reads<<<1, 64>>>(x.const_data_ptr<double>(), 3);", [("double",)]),
    "of what another gives": ("reads<<<1, 64>>>(x.contiguous().data_ptr<double>(), 3);", [("double",)]),
    "handed to a template": ("go(x.data_ptr<float>()); } template <typename T> static void go(T *p) { k<T><<<1, 64>>>(p, 3);",
                             [("float",)]),
    "by a variable": ("auto p = x.data_ptr<float>(); auto q = p; k<<<1, 64>>>(q, 3);", [("float",)]),
    "by a variable that a cast makes": ("auto p = reinterpret_cast<short *>(x.data_ptr()); k<<<1, 64>>>(p, 3);", [("short",)]),
    "by a variable, handed to a template": (
        "auto p = x.data_ptr<float>(); go(p); } template <typename T> static void go(T *p) { k<T><<<1, 64>>>(p, 3);",
        [("float",)]),
    "as it was called before": ("int *data; k<<<1, 64>>>(x.data<float>(), 3);", [("float",)]),
    "a cast to a template's parameter": ("go<float>(x); } template <typename T> static void go(at::Tensor x) "
                                         "{ k<<<1, 64>>>((T *)x.data_ptr(), 3);", [("float",)]),
    "of a template's parameter": ("go<float>(x); } template <typename T> static void go(at::Tensor x) "
                                  "{ k<<<1, 64>>>(x.data_ptr<T>(), 3);", [("float",)]),
}
NOT_GIVEN = {
    "const is a part of it": "k<<<1, 64>>>(x.const_data_ptr<float>(), 3);",
    "a pointer of pointers": "k<<<1, 64>>>(x.data_ptr<float *>(), 3);",
    "a variable of another": "auto p = x.data_ptr<float>(), q = x.data_ptr<double>(); change(p); k<<<1, 64>>>(r, 3);",
    "a variable that refers to one": "float *p; auto &&q = p; k<<<1, 64>>>(q, 3);",
    "a choice": "auto p = x ? x.data_ptr<float>() : nullptr; k<<<1, 64>>>(p, 3);",
    "no type is said": "k<<<1, 64>>>(x.data_ptr(), 3);",
    "with an offset": "k<<<1, 64>>>(x.data_ptr<float>() + 3, 3);",
    "a class of the program has one": "} struct Mine { template <typename T> double *data_ptr(); }; void f(Mine x) {"
                                      "k<<<1, 64>>>(x.data_ptr<float>(), 3);",
    "a class of the program has data": "} struct Mine { template <typename T> double *data(); }; void f(Mine x) {"
                                       "k<<<1, 64>>>(x.data<float>(), 3);",
    "a class of the program takes data from another": "} struct Mine : B { using B::data; }; void f(Mine x) {"
                                                      "k<<<1, 64>>>(x.data<float>(), 3);",
    "a cast to what nobody knows": "} template <typename T> void go(at::Tensor x) { k<<<1, 64>>>((T *)x.data_ptr(), 3);",
    "nobody knows for which type": "} template <typename T> void go(at::Tensor x) { k<<<1, 64>>>(x.data_ptr<T>(), 3);",
}


@pytest.mark.parametrize(("code", "args"), GIVEN.values(), ids=GIVEN)
def test_a_tensor_gives_a_pointer_to_what_is_asked_for(code: str, args: list[tuple[str, ...]], kernel_file: Write) -> None:
    found = launches(f"{HEAD}int main() {{ at::Tensor x; {code} }}\n", kernel_file)
    assert sorted(launch.template_args or () for launch in found) == args


@pytest.mark.parametrize("code", NOT_GIVEN.values(), ids=NOT_GIVEN)
def test_where_it_may_be_another_pointer_nothing_is_deduced(code: str, kernel_file: Write) -> None:
    found = launches(f"{HEAD}int main() {{ at::Tensor x; {code} }}\n", kernel_file)
    assert [launch.template_args for launch in found] in ([None], [])


def test_a_class_of_a_header_that_is_missing_may_have_such_a_method(kernel_file: Write) -> None:
    text = f'#include "mine.h"\n{HEAD}int main() {{ Mine x; k<<<1, 64>>>(x.data_ptr<float>(), 3); }}\n'
    assert [launch.template_args for launch in launches(text, kernel_file)] in ([None], [])


TEMPLATE = "template <int N> __global__ void k(float *p, int n) {}\n"
GO = "template <int N> void go(float *p, int b) { k<N><<<2, b * N>>>(p, 5); }\n"
NO_TEMPLATE = GO.replace("template <int N>", "").replace("N", "2")
CALLS = "void run(float *p) { go<2>(p, 64); go<3>(p, 32); }\n"
ONLY_HERE = {
    "a template of this text": {"k.cu": TEMPLATE + GO + CALLS},
    "another text has one of that name": {"k.cu": TEMPLATE + GO + CALLS, "o.cu": GO + "void f(float *p) { go<9>(p, 9); }"},
    "one of them calls another": {
        "k.cu": TEMPLATE + GO.replace("void go", "void inner") + "template <int N> void go(float *p, int b) { inner<N>(p, b); }\n"
        + CALLS},
}
ELSEWHERE = {
    "a template of a header": {"go.h": GO, "k.cu": TEMPLATE + '#include "go.h"\n' + CALLS,
                               "o.cu": TEMPLATE + '#include "go.h"\nvoid f(float *p) { go<9>(p, 9); }'},
    "a function that is none": {"k.cu": TEMPLATE + NO_TEMPLATE + "void f() { go(0, 64); }"},
    "an explicit instantiation": {"k.cu": TEMPLATE + GO + CALLS + "template void go<2>(float *, int);\n"},
    "this text is a part of another": {"k.cu": TEMPLATE + GO + CALLS,
                                       "o.cu": '#include "k.cu"\nvoid f(float *p) { go<9>(p, 9); }'},
    "its address is taken": {"k.cu": TEMPLATE + GO + CALLS + "void (*held)(float *, int) = go<2>;\n"},
}


@pytest.mark.parametrize("files", ONLY_HERE.values(), ids=ONLY_HERE)
def test_a_template_is_called_where_it_stands(files: dict[str, str], tmp_path: Path) -> None:
    """No other text can call it: it would need its definition, or an explicit instantiation."""
    assert blocks(tmp_path, files) == {128, 96}


@pytest.mark.parametrize("files", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_template_that_others_may_call(files: dict[str, str], tmp_path: Path) -> None:
    found = blocks(tmp_path, files)
    assert not found or any(not isinstance(size, int) for size in found)


EXTENSION = """#include <torch/extension.h>
#include <limits>
template <typename scalar_t, int D, int C> __global__ void fill(scalar_t *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i * C] = std::numeric_limits<scalar_t>::lowest() + D * threadIdx.x;
}
template <typename scalar_t, int D> void chosen(scalar_t *out, int n, int c) {
  const dim3 blocks = {(n + 127) / 128, 1, 1};
  switch (c) {
    case 1: fill<scalar_t, D, 1><<<blocks, 128>>>(out, n); break;
    case 2: fill<scalar_t, D, 2><<<blocks, 128>>>(out, n); break;
    default: throw std::runtime_error{"1 or 2"};
  }
}
template <typename scalar_t> void encode(scalar_t *out, int n, int d, int c) {
  if (d == 2) chosen<scalar_t, 2>(out, n, c);
}
void run(at::Tensor out, int n, int d, int c) {
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(out.scalar_type(), "run", ([&] { encode<scalar_t>(out.data_ptr<scalar_t>(), n, d, c); }));
}
"""


def test_launches_behind_templates_that_a_macro_calls(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "ext.cu").write_text(EXTENSION)
    said = run("check", str(tmp_path / "ext.cu")).out
    for instance in (f"fill<{kind}, 2, {c}>" for kind in ("c10::Half", "double", "float") for c in (1, 2)):
        assert f"proved {instance}" in said
    assert said.count("[host code, line 10]") == said.count("[host code, line 11]") == 3


COUNTED = {
    "a size": ("const torch::Tensor &x", "const auto n = x.size(0);", True),
    "a number of elements": ("at::Tensor x", "auto n = x.numel();", True),
    "a stride": ("torch::Tensor &x", "auto n = x.stride(1);", True),
    "all sizes": ("at::Tensor x", "auto n = x.sizes();", False),
    "a size without its axis": ("at::Tensor x", "auto n = x.size();", False),
    "of a class of the program": ("Mine x", "auto n = x.size(0);", False),
    "of a pointer to one": ("at::Tensor *x", "auto n = x.size(0);", False),
    "a reference": ("at::Tensor x", "auto &&n = x.size(0);", False),
    "a class of that name": ("at::Tensor x", "auto n = x.numel();", False),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_a_tensor_counts_is_a_number(name: str, kernel_file: Write) -> None:
    parameter, declared, is_told = COUNTED[name]
    own = "namespace at { struct Tensor { float *numel(); }; }\n" if name == "a class of that name" else ""
    body = f"{{ {declared} k<<<n, 64>>>(p, n); }}"
    text = f"{HEAD}struct Mine {{ float size(int); }};\n{own}void go({parameter}, float *p) {body}\n"
    assert [isinstance(launch.grid[0], str) for launch in launches(text, kernel_file)] == [is_told]


def test_half_is_declared_where_only_a_header_of_pytorch_is_asked_for(run: Run, tmp_path: Path) -> None:
    text = "#include <torch/extension.h>\n__global__ void k(half2 *p) { p[threadIdx.x].x = half(1.0f); }\n"
    (tmp_path / "h.cu").write_text(text)
    assert "proved k" in run("check", str(tmp_path / "h.cu"), "--block", "64", "--grid", "1").out
