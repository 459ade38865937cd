// expect: barriers=proved race-free=proved
// Lanes that have returned are not waited for.
__global__ void part(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 1;
  __syncwarp();
  out[i] = 2;
}
