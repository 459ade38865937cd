// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const unsigned long long* x, unsigned* out){ int i=threadIdx.x; out[i]= x[i]==5ull ? 1u:0u; }
