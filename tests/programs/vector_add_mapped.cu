// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=64 n=16000
// A sum of vectors in mapped host memory.
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
