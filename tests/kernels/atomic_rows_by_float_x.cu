// expect: order-free=refuted race-free=proved
// Which row a sum goes to is a float that is read, and rows are short: many add to each cell.
__global__ void gradient(const int n, const float* ids, const float* diff, const int N, float* grad) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int top = i / N, d = i % N;
    const int index = static_cast<int>(ids[top]);
    atomicAdd(grad + index * N + d, diff[i]);
  }
}
