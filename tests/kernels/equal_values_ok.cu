// expect: race-free=proved verdict=proved
// All threads of all blocks store 7 and nobody reads: benign.
__global__ void equal_values(int *out) {
  out[0] = 7;
}
