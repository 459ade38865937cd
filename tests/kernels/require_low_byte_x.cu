// expect: race-free=refuted
// spmd: block=64 grid=1 require (unsigned char)n == 44
// What a requirement says of the low byte it does not say of the whole: n may be 300.
__global__ void pick(int *out, int n) {
  if (n == 300)
    out[0] = threadIdx.x;
  else
    out[threadIdx.x] = 1;
}
