// expect: race-free=proved
// spmd: block=32 grid=1
// A bit-field and a plain field beside it are two.
struct C { int sign; unsigned a : 16; unsigned b : 11; int c : 4; bool used; };
__global__ void k(C *p) {
  if (threadIdx.x == 0) p[0].a = 1;
  if (threadIdx.x == 1) p[0].used = true;
  if (threadIdx.x == 2) p[0].sign = 1;
}
