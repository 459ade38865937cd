// expect: race-free=refuted
// spmd: block=36 grid=1 x=1
// The barrier of its warp orders the store before the updates of that warp, not before those of the other.
__global__ void k(int *out, int x) {
  __shared__ int s;
  if (threadIdx.x == 1) s = 2;
  __syncwarp();
  atomicMax(&s, x);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s;
}
