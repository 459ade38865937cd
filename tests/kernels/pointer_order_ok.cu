// expect: race-free=proved
// Pointers are compared by order where either may be of two arrays.
__global__ void k(float *a, float *b, int n, int flag) {
  float *p = a, *end;
  if (flag) p = b;
  end = p + n;
  for (p += blockIdx.x * blockDim.x + threadIdx.x; p < end; p += blockDim.x * gridDim.x) *p = 1;
}
