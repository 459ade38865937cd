// spmd: block=64 grid=3 n=203 require n >= 1, n <= 256
// Each thread sums four neighbouring elements, the block scans the sums, and each thread adds what lies before it.
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int sums[64];
  int t = threadIdx.x, first = t * 4, own[4], sum = 0;
  for (int k = 0; k < 4; k++) {
    sum += first + k < n ? in[blockIdx.x * n + first + k] : 0;
    own[k] = sum;
  }
  sums[t] = sum;
  __syncthreads();  // the sums are there
  for (int d = 1; d < 64; d *= 2) {
    int before = t >= d ? sums[t - d] : 0;
    __syncthreads();  // all have read
    sums[t] += before;
    __syncthreads();  // all have written
  }
  int offset = t > 0 ? sums[t - 1] : 0;
  for (int j = 0; j < 4; j++)
    if (first + j < n) out[blockIdx.x * n + first + j] = offset + own[j];
}
