// expect: barriers=refuted
// spmd: block=64 grid=1 require n >= 100000, n <= 200000
// The guard compares what is left of n * t in a byte.
__global__ void guard(int *out, int n) {
  unsigned char c = n * (int)threadIdx.x;
  if (c < 200) __syncthreads();
  out[threadIdx.x] = 1;
}
