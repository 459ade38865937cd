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
    "cap in loop": (
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; for (int r = 0; r < n; r++) { s[t] = 0;
  q[t] = 0; __syncthreads(); atomicAdd(&s[63 - t], w[r * 64 + t]); __syncthreads(); atomicAdd(&q[0], s[t] * t);
  __syncthreads(); if (t == 0) atomicAdd(&y[0], q[0]); __syncthreads(); } }
""",
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; if (t == 0) atomicAdd(&y[0], 0); }
""",
    ),
    "cap self": (
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; s[t] = 0; __syncthreads();
  atomicAdd(&s[63 - t], w[t]); __syncthreads(); int v = s[t]; __syncthreads(); atomicAdd(&s[0], v);
  __syncthreads(); if (t == 0) atomicAdd(&y[t], s[0]); }
""",
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; if (t == 0) atomicAdd(&y[t], w[63]); }
""",
    ),
    "cap shift2": (
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; s[t] = 0; q[t] = 0; __syncthreads();
  atomicAdd(&s[0], w[t]); __syncthreads(); if (t == 0) atomicAdd(&q[0], s[t]); __syncthreads();
  if (t == 0) atomicAdd(&y[t], q[t]); }
""",
        """// spmd: block=64 grid=1 x[n*64] w[n*64] y[64] require n >= 1, n <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x; if (t == 0) atomicAdd(&y[t], w[t]); }
""",
    ),
    "capture1": (
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  for (int k = t; k < 256; k += 64) { s[k] = 0; q[k] = 0; } __syncthreads(); atomicAdd(&s[63 - t], w[i]);
  __syncthreads(); atomicAdd(&q[0], s[t] * t); __syncthreads(); if (t == 0) atomicAdd(&y[0], q[0]); }
""",
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) atomicAdd(&y[0], 0); }
""",
    ),
    "carried alone": (
        """// spmd: block=64 grid=1 x[64] w[n] z[64] y[64] require n >= 1, n <= 1000
__global__ void k(const int *x, const int *w, int *z, int *y, int n) { int t = threadIdx.x; z[t] = x[t];
  __syncthreads(); for (int r = 0; r < n; r++) { z[63 - t] += w[r]; atomicAdd(&y[t], z[63 - t]); } }
""",
        """// spmd: block=64 grid=1 x[64] w[n] z[64] y[64] require n >= 1, n <= 1000
__global__ void k(const int *x, const int *w, int *z, int *y, int n) { int t = threadIdx.x; int v = z[63 - t];
  __syncthreads(); z[t] = x[t]; __syncthreads(); for (int r = 0; r < n; r++) { v += w[r]; z[63 - t] += w[r];
  atomicAdd(&y[t], v); } }
""",
    ),
    "carried alone hidden": (
        """// spmd: block=64 grid=1 x[64] w[n] z[64] y[64] require n >= 1, n <= 1000
__global__ void k(const int *x, const int *w, int *z, int *y, int n) { int t = threadIdx.x;
  if (n == 777) z[t] = x[t]; __syncthreads(); for (int r = 0; r < n; r++) { z[63 - t] += w[r];
  atomicAdd(&y[t], z[63 - t]); } }
""",
        """// spmd: block=64 grid=1 x[64] w[n] z[64] y[64] require n >= 1, n <= 1000
__global__ void k(const int *x, const int *w, int *z, int *y, int n) { int t = threadIdx.x; int v = z[63 - t];
  __syncthreads(); if (n == 777) z[t] = x[t]; __syncthreads(); for (int r = 0; r < n; r++) { v += w[r];
  z[63 - t] += w[r]; atomicAdd(&y[t], v); } }
""",
    ),
    "most1": (
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const unsigned *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  atomicAdd(&y[0], ((int)w[i] >> 1) & 0x7fffffff); }
""",
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const unsigned *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  atomicAdd(&y[0], (int)w[i] >> 1); }
""",
    ),
    "most2": (
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const unsigned *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  atomicAdd(&y[0], ((int)w[i] >> 8) & 0xffffff); }
""",
        """// spmd: block=64 grid=g x[g*64] w[g*64] y[m] require g >= 0, g <= 1000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const unsigned *w, int *y, int m, int g) {
  __shared__ int s[256]; __shared__ int q[256]; int t = threadIdx.x, b = blockIdx.x, i = blockIdx.x * 64 + t;
  atomicAdd(&y[0], (int)w[i] >> 8); }
""",
    ),
    "z hidden": (
        """// spmd: block=64 grid=1 x[64] z[64] y[64] require n >= 0, n <= 100000000
__global__ void k(const int *x, int *z, int *y, int n) { int t = threadIdx.x;
  if (n == 77777777) z[63 - t] = x[t]; __syncthreads(); y[t] = z[t]; }
""",
        """// spmd: block=64 grid=1 x[64] z[64] y[64] require n >= 0, n <= 100000000
__global__ void k(const int *x, int *z, int *y, int n) { int t = threadIdx.x; int v = z[t]; __syncthreads();
  if (n == 77777777) z[63 - t] = x[t]; y[t] = v; }
""",
    ),
    "z hidden atomic": (
        """// spmd: block=64 grid=1 x[64] z[64] y[64] require n >= 0, n <= 100000000
__global__ void k(const int *x, int *z, int *y, int n) { int t = threadIdx.x;
  if (n == 77777777) atomicAdd(&z[63 - t], x[t]); __syncthreads(); y[t] = z[t]; }
""",
        """// spmd: block=64 grid=1 x[64] z[64] y[64] require n >= 0, n <= 100000000
__global__ void k(const int *x, int *z, int *y, int n) { int t = threadIdx.x; int v = z[t]; __syncthreads();
  if (n == 77777777) atomicAdd(&z[63 - t], x[t]); y[t] = v; }
""",
    ),
    "z stored": (
        """// spmd: block=64 grid=1 x[64] z[64] y[64]
__global__ void k(const int *x, int *z, int *y) { int t = threadIdx.x; z[63 - t] = x[t]; __syncthreads();
  y[t] = z[t]; }
""",
        """// spmd: block=64 grid=1 x[64] z[64] y[64]
__global__ void k(const int *x, int *z, int *y) { int t = threadIdx.x; int v = z[t]; __syncthreads();
  z[63 - t] = x[t]; y[t] = v; }
""",
    ),
    "z updated": (
        """// spmd: block=64 grid=1 x[64] z[64] y[64]
__global__ void k(const int *x, int *z, int *y) { int t = threadIdx.x; atomicAdd(&z[0], 1); __syncthreads();
  y[t] = z[0]; }
""",
        """// spmd: block=64 grid=1 x[64] z[64] y[64]
__global__ void k(const int *x, int *z, int *y) { int t = threadIdx.x; int v = z[0]; __syncthreads();
  atomicAdd(&z[0], 1); y[t] = v; }
""",
    ),
}


@pytest.mark.parametrize("what", PAIRS)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, PAIRS[what])
    assert shown is None or shown.kind is None, shown.proof
