// expect: verdict=unsupported message=read through a pointer that lies in memory
// Three levels.
__global__ void k(float ***deep) { deep[0][blockIdx.x][threadIdx.x] = 1; }
