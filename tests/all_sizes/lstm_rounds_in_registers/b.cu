// spmd: block=256 grid=(n+255)/256 x[rounds*n] h[n] require n > 0, n <= 20000, rounds >= 0, rounds <= 20000
__global__ void cell_register(const float *x, float *h, float w, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float state = h[i];
  const float *in = x + i;
  for (int k = 0; k < rounds; k++, in += n) state = tanhf(w * state + *in);
  h[i] = state;
}
