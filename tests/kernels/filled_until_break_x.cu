// expect: order-free=refuted
// spmd: block=64 grid=1
// A loop that may be left in its midst fills less.
__global__ void table(const int *in, int *out) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (in[i] == 7) break;
    s[i] = in[i];
  }
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
