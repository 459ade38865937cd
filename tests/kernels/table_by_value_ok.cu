// expect: race-free=proved
// An array of pointers in a structure that is passed by value, run over by block.
struct A { float *in[8], *out[8]; };
// spmd: block=64 grid=8
__global__ void k(A a) { a.out[blockIdx.x][threadIdx.x] = a.in[blockIdx.x][threadIdx.x]; }
