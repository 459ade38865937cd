// expect: verdict=unsupported message=volatile
// The host may move a row while the kernel runs.
__global__ void k(float *volatile *rows) { rows[blockIdx.x][threadIdx.x] = 1; }
