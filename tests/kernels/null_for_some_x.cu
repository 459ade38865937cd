// expect: bounds=refuted
// Who comes last has no place to write.
__global__ void fill(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = i < n - 1 ? out + i : nullptr;
  if (i < n) *p = i;
}
