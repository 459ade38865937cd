// Reversal straight through global memory: each element goes to its mirrored place.
__global__ void reverse(const int *in, int *out) {
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  out[to] = in[from];
}
