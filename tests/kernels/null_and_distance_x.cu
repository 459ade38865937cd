// expect: bounds=refuted
// spmd: block=64 grid=1
// Null and a distance is not null, and nothing is there.
__global__ void next(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int *p = n ? s : nullptr;
  int *q = p + 1;
  if (q && t < 63) q[t] = 1;
  out[t] = n;
}
