// expect: barriers=refuted
// The last thread leaves the loop a round before the others.
__global__ void leave(int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (t == blockDim.x - 1 && k == n - 1) break;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = t;
}
