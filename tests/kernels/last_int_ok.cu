// expect: no-wrap=proved race-free=proved
// spmd: block=1024 grid=2097152
// The largest index is 2^31 - 1 to the unit.
__global__ void last_int(int *out) {
  int i = (int)blockIdx.x * 1024 + (int)threadIdx.x;
  out[i] = i;
}
