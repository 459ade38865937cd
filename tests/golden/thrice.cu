__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
