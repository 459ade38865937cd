// spmd: block=4 grid=1 x[4] out[4] p[4]
__global__ void k(const int* x, int* out, int* p){ int t=threadIdx.x; for(int i=0;i<1+(t&1);i++){ out[t]+=5; for(int j=0;j<1+(t&1);j++){ if (j==1) return; if (x[t]>0) break; } if (x[t]==2) return; } p[t]=1; }
