// spmd: block=256 grid=blocks x[n] bins[256] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void histogram_shared(const unsigned char *x, int *bins, int n, int blocks) {
  __shared__ int mine[256];
  int t = threadIdx.x;
  mine[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&mine[x[i]], 1);
  __syncthreads();
  atomicAdd(&bins[t], mine[t]);
}
