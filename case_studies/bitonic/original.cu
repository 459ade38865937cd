// spmd: block=64 grid=4
// Bitonic sort of 64 floats a block in shared memory; the lower thread of a pair exchanges it.
__global__ void sort(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();  // loaded
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        float a = s[t], b = s[p];
        bool up = (t & k) == 0;
        s[t] = up ? fminf(a, b) : fmaxf(a, b);
        s[p] = up ? fmaxf(a, b) : fminf(a, b);
      }
      __syncthreads();  // the step is done
    }
  data[blockIdx.x * 64 + t] = s[t];
}
