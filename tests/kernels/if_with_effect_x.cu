// expect: race-free=refuted
// The test is what stands behind the semicolon.
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 1;
  if (at = 1; at > 1) a[i] = i;
  else a[0] = i;
}
