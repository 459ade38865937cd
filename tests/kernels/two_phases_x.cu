// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=2
// One block may write its 2 before the other writes its 1.
__global__ void phases(int *out) {
  out[0] = 1;
  __syncthreads();
  out[0] = 2;
}
