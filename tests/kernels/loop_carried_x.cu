// expect: race-free=refuted barriers=proved
// The neighbour's cell is read in the round in which the neighbour writes it.
__global__ void smooth(float *out, int n) {
  __shared__ float row[256];
  int t = threadIdx.x % 255;
  row[t] = t;
  for (int k = 0; k < n; k++) {
    __syncthreads();
    row[t] = row[t + 1] * 0.5f;
  }
  out[threadIdx.x] = row[t];
}
