// spmd: block=256 grid=rows rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row: a tree in shared memory down to a warp, shuffles from there.
__global__ void rmsnorm(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out, int rows, int cols,
                        float eps) {
  __shared__ float partial[256];
  __shared__ float scale;
  int t = threadIdx.x;
  const float *x = in + blockIdx.x * cols;
  float sum = 0.0f;
  for (int c = t; c < cols; c += 256) sum += x[c] * x[c];
  partial[t] = sum;
  __syncthreads();
  for (int half = 128; half >= 32; half >>= 1) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t < 32) {
    float v = partial[t];
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
    if (t == 0) scale = rsqrtf(v / cols + eps);
  }
  __syncthreads();
  for (int c = t; c < cols; c += 256) out[blockIdx.x * cols + c] = x[c] * scale * weight[c];
}
