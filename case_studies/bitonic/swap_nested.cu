// spmd: block=64 grid=4
// The two tests are nested and the elements are held in registers.
__global__ void sort(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        int a = s[t], b = s[p];
        if ((a > b) == ((t & k) == 0)) {
          s[t] = b;
          s[p] = a;
        }
      }
      __syncthreads();
    }
  data[blockIdx.x * 64 + t] = s[t];
}
