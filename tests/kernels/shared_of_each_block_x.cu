// expect: race-free=refuted
// spmd: block=32 grid=2
// Each block has its own pick, so thread 0 of both blocks can be picked.
__global__ void pick(const int *in, int *out) {
  __shared__ int pick;
  if (threadIdx.x == 0) pick = in[blockIdx.x];
  __syncthreads();
  if (pick == threadIdx.x) out[0] = blockIdx.x;
}
