"""Boost's headers that are not there: choices by numbers that are no truth values, a program's own answers about its types,
lists of numbered names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[[str], Path]
BY_NUMBERS = """#include <boost/utility/enable_if.hpp>
template <unsigned threads, typename T> __device__ typename boost::disable_if_c<threads>::type summed(T *) {}
template <unsigned threads, typename T> __device__ typename boost::enable_if_c<threads>::type summed(T *a) {
    if (threadIdx.x < threads) a[threadIdx.x] += a[threadIdx.x + threads];
    %s
    summed<threads / 2>(a);
}
__global__ void of_blocks(const float *x, float *y) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x + 64 * blockIdx.x];
    __syncthreads();
    summed<32>(s);
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
void run(const float *x, float *y) { of_blocks<<<10, 64>>>(x, y); }
"""
OWN_TYPE = """#include <boost/utility/enable_if.hpp>
#include <boost/type_traits/is_floating_point.hpp>
#include <boost/type_traits/is_integral.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>
struct pair_of_floats;
namespace boost { template <> struct is_floating_point<pair_of_floats> : boost::true_type {}; }
struct pair_of_floats {
    float high, low;
    template <typename T> __device__ pair_of_floats(T a, typename boost::enable_if<boost::is_integral<T> >::type * = 0)
        : high(a), low(0) {}
};
template <typename T> __device__ typename boost::enable_if<boost::is_floating_point<T>, int>::type place() { return %s; }
template <BOOST_PP_ENUM_PARAMS(2, typename T)> __device__ int second() { return place<T1>(); }
__global__ void set(float *y) {
    pair_of_floats zero = 0;
    y[threadIdx.x * second<float, pair_of_floats>()] = zero.high + threadIdx.x;
}
void run(float *y) { set<<<1, 64>>>(y); }
"""


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "proved"), ("", "refuted")])
def test_functions_that_are_chosen_by_numbers(run: Run, kernel_file: Write, barrier: str, verdict: str) -> None:
    """A number stands for a truth value, as compilers that allow it take it."""
    (record,) = run("check", kernel_file(BY_NUMBERS % barrier), "--format", "jsonl").records
    assert record["verdict"] == verdict


@pytest.mark.parametrize(("place", "verdict"), [("1", "proved"), ("0", "refuted")])
def test_a_type_of_the_program_that_is_called_a_float(run: Run, kernel_file: Write, place: str, verdict: str) -> None:
    (record,) = run("check", kernel_file(OWN_TYPE % place), "--format", "jsonl").records
    assert record["verdict"] == verdict
