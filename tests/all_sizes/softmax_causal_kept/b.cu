// spmd: block=32 grid=heads*length o[heads*length*length] in[heads*length*length] require heads > 0, heads <= 2000, length > 0, length <= 1000
__global__ void causal_warp(float *o, const float *in, int heads, int length) {
  int i = blockIdx.x, lane = threadIdx.x, t = i % length;
  const float *x = in + i * length;
  float m = -INFINITY;
  for (int j = lane; j <= t; j += 32) m = fmaxf(m, x[j]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  float s = 0.0f;
  for (int j = lane; j <= t; j += 32) s += expf(x[j] - m);
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  for (int j = lane; j < length; j += 32) o[i * length + j] = j <= t ? expf(x[j] - m) / s : 0.0f;
}
