// spmd: block=4 grid=1 out[4]
typedef int (*Map)(int);
__device__ int next_of(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2; }
__device__ Map choose(int k) { return k & 1 ? twice : next_of; }
__global__ void k(int* out) { out[threadIdx.x] = choose(threadIdx.x)(10); }
