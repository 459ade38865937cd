// expect: race-free=refuted barriers=proved
// A tile is filled again while others still use it.
__global__ void forces(const float *x, float *force, int tiles) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    tile[threadIdx.x] = x[k * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) sum += tile[j];
  }
  force[i] = sum;
}
