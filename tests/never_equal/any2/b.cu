// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; int v=x[i]; for(int o=16;o;o>>=1) v*=__shfl_xor_sync(0xffffffffu,v,o); out[i]=v; }
