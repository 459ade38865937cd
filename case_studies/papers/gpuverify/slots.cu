// An atomic counter hands out slots: every thread gets another one, so the stores do not race. Which thread gets which slot hangs
// on the order.
__global__ void slots(const int *in, int *out, int *counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(counter, 1)] = in[i];
}
