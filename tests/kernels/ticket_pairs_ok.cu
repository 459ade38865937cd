// expect: race-free=proved
// Each update takes two slots.
__global__ void push(const int *in, int *out, int *length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int at = atomicAdd(length, 2);
    out[at] = in[i];
    out[at + 1] = -in[i];
  }
}
