"""Pairs that differ, that a proof for all sizes once called equal, and kernels on which it once ran without end."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

PAIRS = {
    "circle: cast to short in a dry run does not wrap": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  int now = 0; for (int j = 0; j < n; j++) { a += in[t] * now; now = 1 - ((short)(now + 40000) - 40000);
  } y[b * 64 + t] = a; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  for (int j = 0; j < n; j++) a += in[t] * (j % 2); y[b * 64 + t] = a; }
""",
    ),
    "circle: cast to signed char, as an index": (
        """// spmd: block=64 grid=rows x[rows*512] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 512; float a = 0;
  int now = 0; for (int j = 0; j < n; j++) { a += in[now]; now = 1 - ((signed char)(now + 200) - 200);
  } y[b * 64 + t] = a; }
""",
        """// spmd: block=64 grid=rows x[rows*512] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 512; float a = 0;
  for (int j = 0; j < n; j++) a += in[j % 2]; y[b * 64 + t] = a; }
""",
    ),
    "circle: comparison with what a narrow type cannot be": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  int now = 0; for (int j = 0; j < n; j++) { a += in[t] * now;
  now = (unsigned char)(now + 256) > 255 ? 1 - now : now; } y[b * 64 + t] = a; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  for (int j = 0; j < n; j++) a += in[t] * (j % 2); y[b * 64 + t] = a; }
""",
    ),
    "circle: cast of a size": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  int now = 0; for (int j = 0; j < n; j++) { a += in[t] * now;
  now = 1 - now + ((unsigned char)(n + 255) - n - 255); } y[b * 64 + t] = a; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  for (int j = 0; j < n; j++) a += in[t] * (j % 2); y[b * 64 + t] = a; }
""",
    ),
    "source in the round before, whose thread hangs on the round": (
        """// spmd: block=64 grid=rows x[rows*128] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 128; float a = 0;
  if (t == 0) s[63] = 0; __syncthreads(); for (int j = 0; j < n; j++) { a += s[63]; __syncthreads();
  s[t + j] = in[t]; __syncthreads(); } y[b * 64 + t] = a; }
""",
        """// spmd: block=64 grid=rows x[rows*128] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 128; float a = 0;
  for (int j = 1; j < n; j++) a += in[65 - j]; y[b * 64 + t] = a; }
""",
    ),
    "block of any size: what another thread carries": (
        """// spmd: block=threads grid=rows x[rows*threads] y[rows*threads] require rows < 9, threads < 9, n < 9
__global__ void k(const float *x, float *y, int rows, int threads, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * threads;
  float a = 0, c = 0; for (int j = 0; j < n; j++) { a += in[t]; s[t] = a; __syncthreads();
  c += s[threads - 1 - t]; __syncthreads(); } y[b * threads + t] = c; }
""",
        """// spmd: block=threads grid=rows x[rows*threads] y[rows*threads] require rows < 9, threads < 9, n < 9
__global__ void k(const float *x, float *y, int rows, int threads, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * threads;
  float a = 0, c = 0; for (int j = 0; j < n; j++) { c += a + in[threads - 1 - t]; a += in[t];
  } y[b * threads + t] = c; }
""",
    ),
    "what thread j carries in round j": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64;
  float a = 0, c = 0; for (int j = 0; j < n; j++) { a += in[t]; s[t + n] = a; __syncthreads(); c += s[j + n];
  __syncthreads(); } y[b * 64 + t] = c; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64;
  float a = 0, c = 0; for (int j = 0; j < n; j++) { a += in[j]; c += a; } y[b * 64 + t] = c; }
""",
    ),
    "weighed sum of sums: a bound integer gets out": (
        """// spmd: block=8 grid=rows x[rows*80] y[rows*8] require rows >= 1, rows <= 500, n >= 1, n <= 8, m >= 1, m <= 8
__global__ void k(const float *x, float *y, int rows, int n, int m) { int t = threadIdx.x, b = blockIdx.x;
  const float *in = x + b * 80; float c = 0;
  for (int i = 0; i < m; i++) { float d = 0; for (int j = 0; j < n; j++) d += in[i + j] * in[j + n + m];
  c += d * i; } y[b * 8 + t] = c; }
""",
        """// spmd: block=8 grid=rows x[rows*80] y[rows*8] require rows >= 1, rows <= 500, n >= 1, n <= 8, m >= 1, m <= 8
__global__ void k(const float *x, float *y, int rows, int n, int m) { int t = threadIdx.x, b = blockIdx.x;
  const float *in = x + b * 80; float c = 0;
  for (int i = 0; i < m; i++) { float d = 0; for (int j = 3; j < n + 3;
  j++) d += in[i + j] * in[j - 3 + n + m]; c += d * i; } y[b * 8 + t] = c; }
""",
    ),
    "an element that a loop adds to, private": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) { float r[65]; int t = threadIdx.x, b = blockIdx.x;
  r[n] = 0; for (int j = 0; j < n; j++) r[n] += x[b * 64 + j]; y[b * 64 + t] = r[n]; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  for (int j = 0; j < n; j++) a += in[j]; y[b * 64 + t] = a; }
""",
    ),
    "an element that a loop adds to, shared": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; s[t + n] = 0;
  for (int j = 0; j < n; j++) s[t + n] += in[j]; y[b * 64 + t] = s[t + n]; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; float a = 0;
  for (int j = 0; j < n; j++) a += in[j]; y[b * 64 + t] = a; }
""",
    ),
    "elements that go back and forth": (
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; s[t + n] = in[t];
  __syncthreads(); for (int j = 0; j < n; j++) { float v = s[63 - t + n]; __syncthreads(); s[t + n] = v * 2;
  __syncthreads(); } y[b * 64 + t] = s[t + n]; }
""",
        """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 64; y[b * 64 + t] = in[t]; }
""",
    ),
}


@pytest.mark.parametrize("what", PAIRS)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, PAIRS[what])
    assert shown is None or shown.kind is None, shown.proof
