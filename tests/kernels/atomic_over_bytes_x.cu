// expect: race-free=refuted
// spmd: block=256
// Without the barrier a byte is cleared after its word was counted.
__global__ void k(const unsigned char *in, int *out) {
  __shared__ int bins[256];
  unsigned char *raw = (unsigned char *)bins;
  for (int i = threadIdx.x; i < sizeof bins; i += blockDim.x) raw[i] = 0;
  atomicAdd(&bins[in[blockIdx.x * 256 + threadIdx.x]], 1);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
