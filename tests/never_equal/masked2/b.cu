// spmd: block=4 grid=1 x[4] mask[4] out[4]
__global__ void k(const float* x, const int* mask, float* out){ int i=threadIdx.x; float m=-INFINITY; for(int j=0;j<3;j++){ float s = mask[j]>0 ? x[j] : -INFINITY; m=fmaxf(m,s);} out[i]=floorf(m); }
