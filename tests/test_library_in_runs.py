"""Functions of the device library whose results are exact, as a run of a kernel sees them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

EXACT = """#include <assert.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void exact(int *out) {
  int exponent;
  assert(__drcp_rn(4.0) == 0.25 && __dsqrt_rn(16.0) == 4.0 && __fma_rn(2.0, 3.0, 1.0) == 7.0);
  assert(norm4d(1.0, 1.0, 1.0, 1.0) == 2.0 && norm4df(2.f, 2.f, 2.f, 2.f) == 4.0f);
  assert(scalbn(1.5, 2) == 6.0 && ilogbf(8.0f) == 3 && lrint(2.5) == 2 && llround(2.5) == 3);
  assert(__uhadd(0xffffffffu, 1u) == 0x80000000u && __urhadd(0xffffffffu, 2u) == 0x80000001u);
  assert(frexpf(12.0f, &exponent) == 0.75f && exponent == 4);
  assert(frexp(-0.375, &exponent) == -0.75 && exponent == -1);
  assert(frexp(0.0f, &exponent) == 0.0f && exponent == EXPONENT);
  assert(__vabs2(0x8000fffeu) == 0x80000002u && __vabsss2(0x8000fffeu) == 0x7fff0002u && __vnegss2(0x80000001u) == 0x7fffffffu);
  assert(__vsadu4(0x01020304u, 0x04030201u) == 8 && __vsads4(0xff000000u, 0x01000000u) == 2);
  assert(__vsadu4(0xff000000u, 0x01000000u) == 254);
  assert(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(__float2half(2.25f)) == 3);
  assert(__half2uint_rd(__float2half(2.75f)) == 2u && __bfloat162int_rn(__float2bfloat16(3.5f)) == 4);
  constexpr __half_raw low = {0xFC00};
  constexpr __half2_raw pair = {0x3C00, 0xC000};
  constexpr __nv_bfloat162_raw wide = {0x3F80, 0xC000};
  assert(__half2float(__half(low)) < -1e30f && __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{0x3F80})) == 1.0f);
  assert(__low2float(__half2(pair)) == 1.0f && __high2float(__half2(pair)) == -2.0f);
  assert(__low2float(__nv_bfloat162(wide)) == 1.0f && __high2float(__nv_bfloat162(wide)) == -2.0f);
#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__)
  using __nv_bfloat162 = __half2;
  assert(false);
#endif
  out[threadIdx.x] = exponent;
}
"""


@pytest.mark.parametrize(("exponent", "status"), [(0, 0), (1, 1)])
def test_exact_results_of_the_library(run: Run, kernel_file: Callable[..., Path], exponent: int, status: int) -> None:
    """Functions whose results are exact, seen in a run; a wrong assertion is told."""
    file = kernel_file(EXACT.replace("EXPONENT", str(exponent)))
    assert run("run", file, "--block", 32, "--grid", 1).status == status
