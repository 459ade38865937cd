// expect: race-free=proved barriers=proved
// Tiles of the others, one after the other: filled, used, and only then filled again.
__global__ void forces(const float *x, float *force, int tiles) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    tile[threadIdx.x] = x[k * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) sum += tile[j];
    __syncthreads();
  }
  force[i] = sum;
}
