// spmd: block=128 grid=blocks data[n] bins[32] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void histogram_copies(const unsigned char *data, int *bins, int n, int blocks) {
  __shared__ int copies[4 * 33];
  int t = threadIdx.x, warp = t / 32;
  for (int k = t; k < 4 * 33; k += 128) copies[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) atomicAdd(&copies[warp * 33 + data[i] / 8], 1);
  __syncthreads();
  if (t < 32) atomicAdd(&bins[t], copies[t] + copies[33 + t] + copies[66 + t] + copies[99 + t]);
}
