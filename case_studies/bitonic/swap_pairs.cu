// spmd: block=32 grid=4
// Compare and swap with two elements a thread.
__global__ void sort(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x, base = blockIdx.x * 64;
  s[t] = data[base + t];
  s[t + 32] = data[base + t + 32];
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();  // the step before is done
      int i = 2 * t - (t & (j - 1)), a = s[i], b = s[i + j];
      if ((a > b) == ((i & k) == 0)) {
        s[i] = b;
        s[i + j] = a;
      }
    }
  __syncthreads();
  data[base + t] = s[t];
  data[base + t + 32] = s[t + 32];
}
