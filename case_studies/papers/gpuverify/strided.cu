// Threads of one block share n elements in strides: that i is t plus a multiple of the block's size, in every round, is what the
// proof needs.
__global__ void strided(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = 2.0f * a[i];
}
