// Scalar products, several vectors a block in turn: accumulators in shared memory, then a tree over them.
// spmd: block=4 grid=2 vectors=4 n=20 require vectors > 0, n > 0
#define ACCUMULATORS 8

__global__ void scalar_product(const float *a, const float *b, float *out, int vectors, int n) {
  __shared__ float partial[ACCUMULATORS];
  for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
    const float *left = a + v * n;
    const float *right = b + v * n;
    for (int slot = threadIdx.x; slot < ACCUMULATORS; slot += blockDim.x) {
      float sum = 0.0f;
      for (int i = slot; i < n; i += ACCUMULATORS) sum += left[i] * right[i];
      partial[slot] = sum;
    }
    for (int half = ACCUMULATORS / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int slot = threadIdx.x; slot < half; slot += blockDim.x) partial[slot] += partial[slot + half];
    }
    if (threadIdx.x == 0) out[v] = partial[0];
    __syncthreads();
  }
}
