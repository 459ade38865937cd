// spmd: block=8,4 grid=(w+7)/8,(h+3)/4 require w > 0, w <= 50, h > 0, h <= 50
// More than one dimension, strided loops over the whole launch, products of matrices.
__kernel void stencil(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int ax = clamp(x + dx, 0, w - 1), ay = clamp(y + dy, 0, h - 1);
      sum += in[ay * w + ax] * (dx * dy == 0 ? 0.2f : 0.05f);
    }
  out[y * w + x] = sum;
}

// spmd: block=8,8 grid=(w+7)/8,(h+7)/8 require w > 0, w <= 50, h > 0, h <= 50
__kernel void product(__global const float *a, __global const float *b, __global float *c, int w, int h) {
  __local float own[8][8], other[8][8];
  int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int from = 0; from < w; from += 8) {
    own[ty][tx] = y < h && from + tx < w ? a[y * w + from + tx] : 0.0f;
    other[ty][tx] = x < w && from + ty < w ? b[(from + ty) * w + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) sum += own[ty][k] * other[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < w && y < h) c[y * w + x] = sum;
}

// spmd: block=32 grid=3 require n > 0, n <= 2000
__kernel void strided(__global const long *in, __global long *out, uint n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[n - 1 - i] = in[i] * 3 - (long)get_group_id(0);
}
