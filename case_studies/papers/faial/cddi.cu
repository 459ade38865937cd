// Data decide whether the store is made; where, everybody knows.
__global__ void cddi(const int *flag, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag[i] > 0) out[i / 2] = i;
}
