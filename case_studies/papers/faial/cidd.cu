// The index comes out of an array. The accesses are made; where, data decide.
__global__ void cidd(const int *at, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[at[i]] = i;
}
