// expect: race-free=proved
// Atomic updates of a row that all threads share.
__global__ void k(int **rows) { atomicAdd(&rows[0][threadIdx.x & 3], 1); }
