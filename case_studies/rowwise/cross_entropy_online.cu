// spmd: block=256 grid=rows rows=19 cols=300 target[rows] require rows >= 1, rows <= 65535, cols >= 256, cols <= 32767
// One block a row in a single pass: online maximum and sum in each thread, merged by a tree in shared memory.
__global__ void cross_entropy(const float *__restrict__ logits, const int *__restrict__ target, float *__restrict__ loss, int rows,
                              int cols) {
  __shared__ float largest[256], sum[256];
  int t = threadIdx.x;
  const float *x = logits + blockIdx.x * cols;
  float m = -INFINITY, l = 0.0f;
  for (int c = t; c < cols; c += 256) {
    float larger = fmaxf(m, x[c]);
    l = l * expf(m - larger) + expf(x[c] - larger);
    m = larger;
  }
  largest[t] = m;
  sum[t] = l;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) {
      float both = fmaxf(largest[t], largest[t + half]);
      sum[t] = sum[t] * expf(largest[t] - both) + sum[t + half] * expf(largest[t + half] - both);
      largest[t] = both;
    }
    __syncthreads();
  }
  if (t == 0) loss[blockIdx.x] = largest[0] + logf(sum[0]) - x[target[blockIdx.x]];
}
