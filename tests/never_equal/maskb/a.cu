// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const float* x, float* out){ int i=threadIdx.x; float r = 1.0f/(x[i]>0.f ? INFINITY : 1.f); out[i]=r; }