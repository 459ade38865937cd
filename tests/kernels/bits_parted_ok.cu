// expect: race-free=proved
// spmd: block=32 grid=1
// A bit-field without width ends the location.
struct P { unsigned a : 8; unsigned : 0; unsigned b : 8; };
__global__ void k(P *p) {
  if (threadIdx.x == 0) p[0].a = 1;
  if (threadIdx.x == 1) p[0].b = 1;
}
