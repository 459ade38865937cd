// expect: verdict=unsupported message=a pointer to a function stored where others read it
// spmd: block=32 grid=1
typedef int (*Map)(int);
__device__ int next_of(int x) { return x + 1; }
__global__ void k(Map* table) { table[threadIdx.x] = next_of; }
