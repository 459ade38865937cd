// spmd: block=32 grid=1 x[32] out[1]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; if (x[i]>x[0]) out[0]=x[0]; }