// expect: race-free=proved order-free=refuted
// A sum of floats is rounded after each update.
__global__ void total(float *sum, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}
