// spmd: block=32 grid=2 x[64] out[2]
__global__ void k(const int* x, int* out){ int i=threadIdx.x+blockIdx.x*32; if(threadIdx.x==31) { out[blockIdx.x]=x[i]>0 ? 1 : 0; } }
