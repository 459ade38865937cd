// spmd: block=256 grid=rows keys[rows*cols] weights[rows*cols] bins[rows*256] require rows > 0, rows <= 10000, cols > 0, cols <= 10000
__global__ void weigh_rows(const unsigned char *keys, const int *weights, int *bins, int rows, int cols) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  int first = blockIdx.x * cols;
  for (int j = threadIdx.x; j < cols; j += 256) atomicAdd(&s[keys[first + j]], weights[first + j]);
  __syncthreads();
  bins[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x];
}
