"""Arrays of more elements than are written out one by one, filled and copied at once; hints of how often to unroll."""

from __future__ import annotations

import pytest
from conftest import Run

KERNEL = """#include <cstring>
// spmd: block=64 grid=2
__global__ void k(const unsigned char *in, unsigned char *out, const int *x, int n) {
  __shared__ int s[5000];
  unsigned char state[8192];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  BODY
}
"""

CASES = {
    "filled": ("memset(state, 0, 8192); state[in[i]] = 7; out[i] = state[in[i] + 1];",
               {"order-free": "proved", "bounds": "proved"}),
    "but for the last": ("memset(state, 0, 8191); out[i] = state[8191];", {"order-free": "unknown"}),
    "one too many": ("memset(state, 0, 8193); out[i] = state[in[i]];", {"bounds": "unknown"}),
    "by one thread": ("if (threadIdx.x == 0) memset(s, 0, sizeof(s)); __syncthreads(); out[i] = s[4999 - threadIdx.x];",
                      {"race-free": "proved", "order-free": "proved", "bounds": "proved"}),
    "by one thread, no barrier": ("if (threadIdx.x == 0) memset(s, 0, sizeof(s)); out[i] = s[4999 - threadIdx.x];",
                                  {"race-free": "refuted"}),
    "copied": ("if (threadIdx.x == 0) memcpy(s, x, sizeof(s)); __syncthreads(); out[i] = s[4999 - threadIdx.x];",
               {"race-free": "proved", "order-free": "proved", "bounds": "proved"}),
    "copied, read too early": ("if (threadIdx.x == 0) memcpy(s, x, sizeof(s)); out[i] = s[4999 - threadIdx.x]; __syncthreads();",
                               {"race-free": "refuted"}),
    "a hint of nought": ("int sum = 0;\n#pragma unroll 0\n  for (int at = 0; at < n; at++) sum += at;\n  out[i] = sum;",
                         {"race-free": "proved", "order-free": "proved"}),
    "a loop under such a hint counts": ("int at;\n#pragma unroll 0\n  for (at = 0; at < 7; at++) { }\n  out[at] = i;",
                                        {"race-free": "refuted"}),
    "below nought": ("\n#pragma unroll(-1)\n  for (int at = 0; at < 3; at++) out[3 * i + at] = at;", {"race-free": "proved"}),
}


@pytest.mark.parametrize("name", CASES)
def test_large_fills(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    body, wanted = CASES[name]
    (record,) = run("check", kernel_file(KERNEL.replace("BODY", body)), "--format", "jsonl").records
    assert {key: record["properties"][key] for key in wanted} == wanted, record
