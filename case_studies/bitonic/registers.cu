// spmd: block=64 grid=4
// Each thread keeps its element in a register and takes the smaller or larger one of a pair; two buffers, one barrier a step.
__global__ void sort(float *data) {
  __shared__ float s[2][64];
  int t = threadIdx.x, buffer = 0;
  float own = data[blockIdx.x * 64 + t];
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      s[buffer][t] = own;
      __syncthreads();  // all are stored
      float other = s[buffer][t ^ j];
      bool smaller = ((t & j) == 0) == ((t & k) == 0);
      own = smaller ? fminf(own, other) : fmaxf(own, other);
      buffer = 1 - buffer;
    }
  data[blockIdx.x * 64 + t] = own;
}
