// expect: race-free=proved order-free=proved
// spmd: block=64 grid=n require n >= 1
// Whoever comes first: each adds the same number to what is there.
__global__ void counted(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += 64)
    atomicAdd(&a[i % 4], 0.1f);
}
