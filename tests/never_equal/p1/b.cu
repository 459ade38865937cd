// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; out[i]=x[i]; }
