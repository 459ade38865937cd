// spmd: block=32 grid=1 x[32] out[1]
__global__ void k(const int* x, int* out){ int i=threadIdx.x; for (int j=0;j<4;j++) { if (x[i]==j) break; if (j==3) out[0]=1; } }