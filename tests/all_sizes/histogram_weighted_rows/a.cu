// spmd: block=128 grid=(rows*cols+127)/128 keys[rows*cols] weights[rows*cols] bins[rows*256] require rows > 0, rows <= 10000, cols > 0, cols <= 10000
__global__ void weigh(const unsigned char *keys, const int *weights, int *bins, int rows, int cols) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < rows * cols) atomicAdd(&bins[i / cols * 256 + keys[i]], weights[i]);
}
