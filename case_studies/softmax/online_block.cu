// spmd: block=64 grid=rows rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row: each thread runs the online softmax over its columns, then a tree merges the pairs (m, l).
#include <cfloat>
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  __shared__ float ms[64], ls[64];
  int t = threadIdx.x;
  const float *x = in + blockIdx.x * cols;
  float m = -FLT_MAX, l = 0.0f;
  for (int j = t; j < cols; j += 64) {
    float larger = fmaxf(m, x[j]);
    l = l * expf(m - larger) + expf(x[j] - larger);
    m = larger;
  }
  ms[t] = m;
  ls[t] = l;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      float both = fmaxf(ms[t], ms[t + d]);
      ls[t] = ls[t] * expf(ms[t] - both) + ls[t + d] * expf(ms[t + d] - both);
      ms[t] = both;
    }
    __syncthreads();  // between two levels
  }
  for (int i = t; i < cols; i += 64) out[blockIdx.x * cols + i] = expf(x[i] - ms[0]) / ls[0];
}
