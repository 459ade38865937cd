// spmd: block=256 grid=blocks data[n] bins[16] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void histogram_four(const int *data, int *bins, int n, int blocks) {
  __shared__ int mine[16];
  int t = threadIdx.x, first = blockIdx.x * 256 + t;
  if (t < 16) mine[t] = 0;
  __syncthreads();
  for (int i = first; i < n / 4; i += gridDim.x * 256) {
    int4 v = reinterpret_cast<const int4 *>(data)[i];
    atomicAdd(&mine[v.x & 15], 1);
    atomicAdd(&mine[v.y & 15], 1);
    atomicAdd(&mine[v.z & 15], 1);
    atomicAdd(&mine[v.w & 15], 1);
  }
  if (first < n % 4) atomicAdd(&mine[data[n / 4 * 4 + first] & 15], 1);
  __syncthreads();
  if (t < 16) atomicAdd(&bins[t], mine[t]);
}
