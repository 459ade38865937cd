// expect: barriers=refuted
// spmd: block=32 grid=1
// Thread 0 leaves in the third round.
__global__ void leave(int *out) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    if (k == 2 && t == 0) return;
    __syncthreads();
  }
  out[t] = t;
}
