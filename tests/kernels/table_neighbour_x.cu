// expect: race-free=refuted
// Rows of blocks are apart, columns of a row are not.
__global__ void k(float **rows) { rows[blockIdx.x][threadIdx.x] = rows[blockIdx.x][threadIdx.x + 1]; }
