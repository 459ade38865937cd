// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The guard changes what it looks at.
__global__ void next(int *out) {
  int i = threadIdx.x;
  if (i++ < 10) out[i] = 1;
}
