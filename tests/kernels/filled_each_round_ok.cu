// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// Each round fills the array, then goes up and down a tree whose steps write it more often than rows of writes are looked at: those of
// the run of the body for the first round say nothing of later ones.
__global__ void sums(float *out, const float *in, int rows) {
  __shared__ float s[128];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    s[threadIdx.x] = in[row * 128 + threadIdx.x];
    s[threadIdx.x + 64] = in[row * 128 + threadIdx.x + 64];
    for (int d = 64; d > 0; d /= 2) {
      __syncthreads();
      if (threadIdx.x < d) {
        s[threadIdx.x] += s[threadIdx.x + d];
        s[threadIdx.x + d] = s[threadIdx.x] * 2;
      }
    }
    __syncthreads();
    out[row * 128 + threadIdx.x] = s[threadIdx.x];
    out[row * 128 + threadIdx.x + 64] = s[threadIdx.x + 64];
    __syncthreads();
  }
}
