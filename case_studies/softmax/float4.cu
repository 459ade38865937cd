// spmd: block=32 grid=rows rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols % 4 == 0, cols <= 256
// One warp a row, four columns at a time as float4; the exponentials stay in registers.
__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  int lane = threadIdx.x, quads = cols / 4;
  const float4 *x = reinterpret_cast<const float4 *>(in + blockIdx.x * cols);
  float4 *y = reinterpret_cast<float4 *>(out + blockIdx.x * cols);
  float4 e[2];
  float m = -INFINITY;
  for (int k = 0; k < 2; k++) {
    int q = k * 32 + lane;
    e[k] = q < quads ? x[q] : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    m = fmaxf(m, fmaxf(fmaxf(e[k].x, e[k].y), fmaxf(e[k].z, e[k].w)));
  }
  m = warp_max(m);
  float sum = 0.0f;
  for (int k = 0; k < 2; k++) {
    e[k] = make_float4(expf(e[k].x - m), expf(e[k].y - m), expf(e[k].z - m), expf(e[k].w - m));
    sum += e[k].x + e[k].y + e[k].z + e[k].w;
  }
  sum = warp_sum(sum);
  for (int k = 0; k < 2; k++) {
    int p = k * 32 + lane;
    if (p < quads) y[p] = make_float4(e[k].x / sum, e[k].y / sum, e[k].z / sum, e[k].w / sum);
  }
}
