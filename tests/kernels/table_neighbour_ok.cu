// expect: verdict=proved
// Two tables: what their pointers lead to does not overlap.
__global__ void k(float **rows, float **other) { rows[blockIdx.x][threadIdx.x] = other[blockIdx.x][threadIdx.x + 1]; }
