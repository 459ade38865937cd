// expect: race-free=refuted
// That r + 1 does not wrap is assumed where it is computed, and there alone: the other branch is taken with the greatest r, too.
__global__ void k(int *out, int r, int n, int flag) {
  if (flag) {
    if (n < r + 1) out[threadIdx.x + blockIdx.x * blockDim.x] = r + 1;
  } else if (r == 2147483647) out[0] = threadIdx.x;
}
