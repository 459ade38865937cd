// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const float* x, float* out){ int i=threadIdx.x; float m=x[i]>0.f ? x[i] : -INFINITY; out[i]= x[i]/m; }