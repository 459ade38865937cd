// expect: race-free=refuted
// All blocks get the first.
__device__ float *get(float **r, int i) { return r[i]; }
__device__ void put(float *p, int i, float v) { p[i] = v; }
__global__ void k(float **rows) { put(get(rows, 0), threadIdx.x, blockIdx.x); }
