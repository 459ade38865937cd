// expect: race-free=proved barriers=proved
// Each thread begins at its number; what two of them write is the same.
__global__ void strides(int *out) {
  for (int i = threadIdx.x; i < 100; i += 32) out[i] = 1;
}
