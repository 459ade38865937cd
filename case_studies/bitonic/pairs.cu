// spmd: block=32 grid=4
// Two elements a thread, so that no thread idles: thread t exchanges the t-th pair of each step.
__global__ void sort(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x, base = blockIdx.x * 64;
  s[t] = data[base + t];
  s[t + 32] = data[base + t + 32];
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();  // the step before is done
      int i = 2 * t - (t & (j - 1)), p = i + j;
      float a = s[i], b = s[p], low = fminf(a, b), high = fmaxf(a, b);
      bool up = (i & k) == 0;
      s[i] = up ? low : high;
      s[p] = up ? high : low;
    }
  __syncthreads();  // all steps are done
  data[base + t] = s[t];
  data[base + t + 32] = s[t + 32];
}
