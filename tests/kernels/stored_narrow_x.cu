// expect: race-free=refuted
// spmd: block=2 grid=1
// The values differ in the bits that the byte keeps.
__global__ void store(unsigned char *out) {
  out[0] = 255 * threadIdx.x;
}
