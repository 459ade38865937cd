// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=256
// A histogram cleared byte by byte, counted by atomics, read as words.
__global__ void k(const unsigned char *in, int *out) {
  __shared__ int bins[256];
  unsigned char *raw = (unsigned char *)bins;
  for (int i = threadIdx.x; i < sizeof bins; i += blockDim.x) raw[i] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 256 + threadIdx.x]], 1);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
