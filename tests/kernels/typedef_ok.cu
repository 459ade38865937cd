// expect: race-free=proved no-wrap=proved
// spmd: block=200 grid=1
// A typedef of a narrow type cuts as the type itself does.
typedef unsigned char byte;
__global__ void cut(const int *in, int *out) {
  byte c = threadIdx.x + 100;
  out[c] = in[threadIdx.x];
}
