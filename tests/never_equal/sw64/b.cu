// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const long long* x, int* out){ int i=threadIdx.x; switch(x[i]) { case 1: out[i]=5; break; default: out[i]=6; } }
