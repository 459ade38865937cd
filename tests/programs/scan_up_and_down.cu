// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=128
// at: block=128 grid=16
// Exclusive scan of two elements a thread, up a tree and down again.
__global__ void scan(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, off = 1;
  s[2 * t] = in[blockIdx.x * 256 + 2 * t];
  s[2 * t + 1] = in[blockIdx.x * 256 + 2 * t + 1];
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[off * (2 * t + 2) - 1] += s[off * (2 * t + 1) - 1];
    off *= 2;
  }
  if (t == 0) s[255] = 0;
  for (int d = 1; d < 256; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1, x = s[a];
      s[a] = s[b];
      s[b] += x;
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + 2 * t] = s[2 * t];
  out[blockIdx.x * 256 + 2 * t + 1] = s[2 * t + 1];
}
