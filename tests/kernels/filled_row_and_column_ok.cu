// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=128
// Where a thread goes is a quotient and a remainder of its number.
__global__ void tile(const float *in, float *out) {
  __shared__ float s[16][9];
  int row = threadIdx.x / 8, column = threadIdx.x % 8;
  s[row][column] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x % 16][threadIdx.x / 16];
}
