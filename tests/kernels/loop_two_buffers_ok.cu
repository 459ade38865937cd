// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1
// Two halves in turn: what a round reads the next one writes.
__global__ void smooth(float *out, unsigned n) {
  __shared__ float row[2][64];
  int t = threadIdx.x;
  row[0][t] = t;
  row[1][t] = 0;
  for (unsigned k = 0; k < n; k++) {
    __syncthreads();
    row[(k + 1) % 2][t] = row[k % 2][(t + 1) % 64] * 0.5f;
  }
  out[t] = row[n % 2][t];
}
