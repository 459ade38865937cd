// expect: race-free=proved order-free=refuted
// spmd: grid=1 require blockDim.x >= 1 && blockDim.y == 1 && blockDim.z == 1
// The number of warps is a quotient of floats, and one lane too many reads what no warp has written.
__global__ void k(float *out, const float *in) {
  __shared__ float shared[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) shared[warp] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = threadIdx.x <= (blockDim.x / 32.f) ? shared[lane] : 0.f;
}
