// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const float* x, int* out){ int i=threadIdx.x; float s=x[i]>0.f ? INFINITY : 2.f; out[i]=(int)s; }
