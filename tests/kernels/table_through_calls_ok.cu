// expect: race-free=proved
// Functions pass such pointers on.
__device__ float *get(float **r, int i) { return r[i]; }
__device__ void put(float *p, int i, float v) { p[i] = v; }
__global__ void k(float **rows) { put(get(rows, blockIdx.x), threadIdx.x, 3.0f); }
