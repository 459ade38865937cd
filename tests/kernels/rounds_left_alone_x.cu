// expect: barriers=refuted
// spmd: require blockDim.x == 128
// A thread leaves the loop by its own number: the others wait for it in the next round.
__global__ void pack(int rows, int width, const float *in, float *out) {
  __shared__ float tile[128];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int last = (row + 1) * 1024 / width;
    float sum = 0.0f;
    for (int start = row * 1024 / width; start < last; start += 128) {
      __syncthreads();
      tile[threadIdx.x] = in[start + threadIdx.x];
      __syncthreads();
      sum += tile[127 - threadIdx.x];
      if (threadIdx.x == 5) break;
    }
    out[row * 128 + threadIdx.x] = sum;
  }
}
