// Bitonic sort of a stretch in shared memory; both keys of a pair are stored in each round, chosen by min and max.
// spmd: block=8 grid=2
__global__ void bitonic_sort_select(int *keys) {
  __shared__ int s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * 8 + t;
  s[t] = keys[i];
  __syncthreads();
  for (int size = 2; size <= 8; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int mine = s[t], other = s[t ^ stride];
      bool smaller = ((t & size) == 0) == ((t & stride) == 0);
      __syncthreads();
      s[t] = smaller ? min(mine, other) : max(mine, other);
      __syncthreads();
    }
  }
  keys[i] = s[t];
}
