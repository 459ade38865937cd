// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const long long* x, int* out){ int i=threadIdx.x; if ((int)x[i]) out[i]=1; else out[i]=2; }