// Data decide both.
__global__ void cddd(const int *flag, const int *at, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag[i] > 0) out[at[i]] = i;
}
