// expect: race-free=proved
// A counter of the whole launch.
__global__ void push(const int *in, int *out, int *length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(length, 1)] = in[i];
}
