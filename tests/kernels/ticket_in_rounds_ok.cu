// expect: race-free=proved
// Every round of every thread takes a slot.
__global__ void push(const int *in, int *out, int *length, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > 0) out[atomicAdd(length, 1)] = in[i];
  }
}
