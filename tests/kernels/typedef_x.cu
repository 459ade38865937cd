// expect: race-free=refuted
// spmd: block=257 grid=1
// Thread 256 is cut to the byte of thread 0.
typedef unsigned char byte;
__global__ void cut(const int *in, int *out) {
  byte c = threadIdx.x + 100;
  out[c] = in[threadIdx.x];
}
