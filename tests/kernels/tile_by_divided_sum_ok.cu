// expect: order-free=proved race-free=proved bounds=proved
// Each thread fills two cells of a tile: which ones is the quotient and remainder of thread and round together.
// spmd: block=128 grid=1 x[256*n] out[128] require n > 0, n <= 1000
__global__ void tiles(const float *x, float *out, int n) {
  __shared__ float tile[8][32];
  int t = threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    for (int q = t; q < 256; q += 128) tile[q % 8][q / 8] = x[k * 256 + q];
    __syncthreads();
    for (int l = 0; l < 8; l++) s += tile[l][t / 4];
    __syncthreads();
  }
  out[t] = s;
}
