// expect: barriers=refuted
// spmd: block=32 grid=1
// On one of two ways to the barrier the mask names lanes that do not come.
__global__ void part(int n) {
  unsigned mask;
  if (n > 0) {
    __syncthreads();
    mask = 0xFFFFu;
  } else {
    mask = 0xFFFFFFFFu;
  }
  if (threadIdx.x < 16) __syncwarp(mask);
}
