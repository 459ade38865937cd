// spmd: block=64 grid=4
// Bitonic sort of 64 ints a block by comparing and swapping.
__global__ void sort(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t && (s[t] > s[p]) == ((t & k) == 0)) {
        int kept = s[t];
        s[t] = s[p];
        s[p] = kept;
      }
      __syncthreads();
    }
  data[blockIdx.x * 64 + t] = s[t];
}
