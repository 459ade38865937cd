// spmd: block=64 grid=4
// The same network with min and max instead of compare and swap.
__global__ void sort(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        int low = min(s[t], s[p]), high = max(s[t], s[p]);
        s[t] = (t & k) == 0 ? low : high;
        s[p] = (t & k) == 0 ? high : low;
      }
      __syncthreads();
    }
  data[blockIdx.x * 64 + t] = s[t];
}
