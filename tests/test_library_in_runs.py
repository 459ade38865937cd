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
  out[threadIdx.x] = exponent;
}
"""


@pytest.mark.parametrize(("exponent", "status"), [(0, 0), (1, 1)])
def test_exact_results_of_the_library(run: Run, kernel_file: Callable[..., Path], exponent: int, status: int) -> None:
    """Functions whose results are exact, seen in a run; a wrong assertion is told."""
    file = kernel_file(EXACT.replace("EXPONENT", str(exponent)))
    assert run("run", file, "--block", 32, "--grid", 1).status == status
