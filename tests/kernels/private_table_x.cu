// expect: race-free=proved bounds=refuted
// One more than the array has.
__global__ void pick(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int table[4] = {1, 2, 4, 8};
  int at = in[i] & 7;
  out[i] = table[at > 4 ? 4 : at];
}
