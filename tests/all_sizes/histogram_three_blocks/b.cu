// spmd: block=64 grid=3 data[n] bins[16] require n > 0, n <= 1000000
__global__ void histogram_vector(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned mine[16];
  int t = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  const uchar4 *quads = reinterpret_cast<const uchar4 *>(data);
  for (int q = t; q < n / 4; q += 192) {
    uchar4 v = quads[q];
    atomicAdd(&mine[v.x >> 4], 1u);
    atomicAdd(&mine[v.y >> 4], 1u);
    atomicAdd(&mine[v.z / 16], 1u);
    atomicAdd(&mine[v.w / 16], 1u);
  }
  if (t < n % 4) atomicAdd(&mine[data[n - 1 - t] >> 4], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
