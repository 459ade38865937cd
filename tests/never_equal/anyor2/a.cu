// spmd: block=2 grid=1 x[2] out[2]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; out[i]=__any_sync(3u,x[i]) ; }