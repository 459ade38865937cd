// expect: barriers=refuted
// spmd: block=32 grid=1
// Lanes 16 to 31 call with a mask that does not name them, which has no meaning.
__global__ void all(int *out) {
  __syncwarp(0x0000ffff);
  out[threadIdx.x] = 1;
}
