// spmd: block=32 grid=1 x[32] y[32] out[32]
__global__ void k(const long long* x, const long long* y, long long* out){ int i=threadIdx.x; if((int)x[i]!=(int)y[i]) out[i]=5; }