// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// A loop over a parameter.
__global__ void rows(const int *in, int *out, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum += in[k];
  out[threadIdx.x] = sum;
}
