// expect: barriers=proved race-free=proved
// spmd: block=64 grid=1
// The condition speaks of the round and of n only, so all threads agree.
__global__ void barrier_if_in_loop(int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    if (n > k) __syncthreads();
  }
  out[t] = t;
}
