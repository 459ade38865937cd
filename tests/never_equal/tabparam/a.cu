// spmd: block=4 grid=1 x[4] out[4]
__constant__ const int t[4]={1,2,3,4};
__global__ void k(const int* x, int* out){ int i=threadIdx.x; out[i]=t[x[i]&3]; }