// spmd: block=2 grid=1 x[2] out[1]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; if ((x[0]&1)==i) out[0]=i+10; }