"""What a kernel computes through `std::tuple`, `std::forward` and `std::move` is what it computes without them."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api

LAUNCH = "// spmd: grid=1 block=64 in[66] out[64]\n"
KERNEL = LAUNCH + "__global__ void k(float *out, const float *in) { int i = threadIdx.x; float a = in[i], b = in[i + 1]; @ }\n"
HELPERS = """#include <tuple>
#include <utility>
template <class F, class Tuple, std::size_t... I>
__host__ __device__ constexpr decltype(auto) spread(F &&f, Tuple &&t, std::index_sequence<I...>) {
  return std::forward<F>(f)(std::get<I>(std::forward<Tuple>(t))...);
}
template <class F, class Tuple> __host__ __device__ constexpr decltype(auto) applied(F &&f, Tuple &&t) {
  return spread(std::forward<F>(f), std::forward<Tuple>(t),
                std::make_index_sequence<std::tuple_size<std::remove_reference_t<Tuple>>::value>{});
}
struct Less { __device__ float operator()(float a, float b) const { return a - b; } };
struct Two { float first, second; };
template <class T> __device__ T twice(T &&x) { return 2 * std::forward<T>(x); }
template <class T> __device__ void keep(T &to, T &&from) { to = std::move(from); }
"""
BY_TUPLE = HELPERS + KERNEL


@pytest.mark.parametrize(("body", "value"), [
    ("std::tuple<float, float> t(a, b); out[i] = std::get<0>(t) - std::get<1>(t);", "a - b"),
    ("std::tuple<float, float> t[2]; std::get<1>(t[1]) = b; std::get<0>(t[1]) = a; t[0] = t[1]; out[i] = applied(Less(), t[0]);",
     "a - b"),
    ("auto f = [](float x, float y, float z) { return x - y * z; }; out[i] = applied(f, std::make_tuple(a, b, 2.0f));",
     "a - b * 2.0f"),
    ("float x, y; std::tie(x, y) = std::make_tuple(b, a); out[i] = x - y;", "b - a"),
    ("std::tuple<float, int> t; out[i] = a + std::get<0>(t) + std::get<1>(t);", "a + 0.0f"),
    ("Two t{a, b}; Two s = std::move(t); Two &&r = std::move(s); r.first += 1; out[i] = s.first;", "a + 1"),
    ("float x; keep(x, twice(a + b)); out[i] = x;", "2 * (a + b)")])
def test_parts_of_tuples_and_what_is_passed_on(tmp_path: Path, body: str, value: str) -> None:
    (tmp_path / "a.cu").write_text(BY_TUPLE.replace("@", body))
    (tmp_path / "b.cu").write_text(KERNEL.replace("@", f"out[i] = {value};"))
    found = api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu"))
    assert found.verdict == "equal", found.report


def test_a_part_of_another_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(BY_TUPLE.replace("@", "out[i] = applied(Less(), std::make_tuple(b, a));"))
    (tmp_path / "b.cu").write_text(KERNEL.replace("@", "out[i] = a - b;"))
    assert api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu")).verdict == "different"
