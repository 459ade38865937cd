// expect: race-free=refuted
// Blocks that have one part write the same cells.
__constant__ float *parts[4];
__global__ void k() { parts[blockIdx.x & 3][threadIdx.x] = blockIdx.x; }
