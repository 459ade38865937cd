// spmd: block=4 grid=1 x[4] mask[4] out[4]
__global__ void k(const float* x, const int* mask, float* out){ int i=threadIdx.x; float sum=0.f; for(int j=0;j<4;j++){ float s = mask[j]>0 ? -INFINITY : x[j]; sum+=expf(s);} out[i]=x[i]/sum; }
