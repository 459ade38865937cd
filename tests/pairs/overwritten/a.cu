// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000, m >= 0
__global__ void keep(const int *in, int *out, int m, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = i < m ? in[i] : 0;
}
