// Stream compaction: flags are summed up before each element, and the sums say where elements go. That stores do not meet needs
// that the sums grow by one at each flag.
__global__ void compact(const int *in, int *out) {
  __shared__ int sums[64];
  int t = threadIdx.x;
  int keep = in[blockIdx.x * 64 + t] > 0;
  sums[t] = keep;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int below = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += below;
    __syncthreads();
  }
  if (keep) out[blockIdx.x * 64 + sums[t] - 1] = in[blockIdx.x * 64 + t];
}
