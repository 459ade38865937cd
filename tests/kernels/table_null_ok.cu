// expect: race-free=proved
// A pointer out of memory is compared with null, by its number.
__global__ void k(float **rows) { if (rows[blockIdx.x] != nullptr) rows[blockIdx.x][threadIdx.x] = 1; }
