// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// An array of the thread's own.
__global__ void rows(const int *in, int *out) {
  int own[4];
  for (int k = 0; k < 4; k++) own[k] = in[4 * threadIdx.x + k];
  out[threadIdx.x] = own[3];
}
