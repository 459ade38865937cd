// expect: race-free=refuted
// spmd: block=64 grid=1
// With the suffix they are the same.
__global__ void tenth(int *out) {
  float x = 0.1f;
  if (x == 0.1f) out[0] = threadIdx.x;
}
