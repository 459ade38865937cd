// spmd: block=64 grid=2 n=1003 h[64] require n >= 1, n <= 1000000000
// Elements are loaded four at a time as uchar4; the first threads take the tail.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[64];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = 0;
  __syncthreads();  // the copy is cleared
  const uchar4 *quads = reinterpret_cast<const uchar4 *>(data);
  for (int q = t; q < n / 4; q += gridDim.x * blockDim.x) {
    uchar4 v = quads[q];
    atomicAdd(&own[v.x >> 2], 1u);
    atomicAdd(&own[v.y >> 2], 1u);
    atomicAdd(&own[v.z >> 2], 1u);
    atomicAdd(&own[v.w >> 2], 1u);
  }
  if (t < n % 4) atomicAdd(&own[data[n - 1 - t] >> 2], 1u);
  __syncthreads();  // the copy is complete
  atomicAdd(&h[threadIdx.x], own[threadIdx.x]);
}
