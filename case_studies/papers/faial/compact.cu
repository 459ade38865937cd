// Stream compaction: the sums of flags say where elements go, and no two go to one cell.
__global__ void compact(const int *in, int *out) {
  __shared__ int sums[64];
  int t = threadIdx.x;
  int keep = in[t] > 0;
  sums[t] = keep;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int below = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += below;
    __syncthreads();
  }
  if (keep) out[sums[t] - 1] = in[t];
}
