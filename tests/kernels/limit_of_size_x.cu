// expect: no-wrap=refuted
// spmd: block=256 grid=(n/256)+1 require n >= 0, n <= 1500000000
// A bound that is no type's: an index of twice the size leaves its type at sizes that are required.
__global__ void two_apart(float *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[i * 2] = 1.0f;
}
