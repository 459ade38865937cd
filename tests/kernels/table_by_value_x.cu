// expect: race-free=refuted
// Two blocks write one array.
struct A { float *in[8], *out[8]; };
// spmd: block=64 grid=8
__global__ void k(A a) { a.out[blockIdx.x / 2][threadIdx.x] = a.in[blockIdx.x][threadIdx.x]; }
