// spmd: block=64 grid=4
// Distances up to 16 by shuffles, only the distance of 32 through shared memory.
__global__ void sort(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float own = data[blockIdx.x * 64 + t];
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      float other;
      if (j == 32) {
        s[t] = own;
        __syncthreads();  // all are stored
        other = s[t ^ 32];
      } else {
        other = __shfl_xor_sync(0xffffffffu, own, j);
      }
      bool first = (t & j) == 0;
      float a = first ? own : other, b = first ? other : own;
      own = first == ((t & k) == 0) ? fminf(a, b) : fmaxf(a, b);
    }
  data[blockIdx.x * 64 + t] = own;
}
