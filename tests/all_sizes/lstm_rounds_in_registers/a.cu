// spmd: block=64 grid=(n+63)/64 x[rounds*n] h[n] require n > 0, n <= 20000, rounds >= 0, rounds <= 20000
__global__ void cell(const float *x, float *h, float w, int n, int rounds) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < rounds; k++) h[i] = tanhf(w * h[i] + x[k * n + i]);
}
