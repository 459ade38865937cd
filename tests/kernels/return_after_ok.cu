// expect: barriers=proved race-free=proved
// spmd: block=32 grid=1
// Thread 0 leaves when no barrier is left.
__global__ void leave(int *out) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    __syncthreads();
    if (k == 3 && t == 0) return;
  }
  out[t - 1] = t;
}
