// expect: race-free=refuted
// The same without the return.
__device__ void put(int *out, int i, int n, int v) {
  out[i] = v;
}
__global__ void some(int *out, int *more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  put(out, i < n ? i : 0, i < n ? n : 0, threadIdx.x);
  more[i] = i;
}
