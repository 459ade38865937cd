// expect: barriers=refuted
// spmd: block=64 grid=1
// In round k only the threads above k arrive.
__global__ void barrier_if_in_loop(int *out) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    if (t > k) __syncthreads();
  }
  out[t] = t;
}
