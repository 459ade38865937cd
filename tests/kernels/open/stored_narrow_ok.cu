// expect: race-free=proved
// spmd: block=4 grid=1
// The values differ only in bits that the byte drops.
__global__ void store(unsigned char *out) {
  out[0] = 256 * threadIdx.x + 7;
}
