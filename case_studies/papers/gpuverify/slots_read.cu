// The counter is read plainly while others add to it.
__global__ void slots_read(const int *in, int *out, int *counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) atomicAdd(counter, 1);
  if (i < n) out[i] = *counter;
}
