// expect: race-free=proved barriers=proved
// A helper that returns early: what is behind the call is not guarded by that, what is in it is.
__device__ void put(int *out, int i, int n, int v) {
  if (i >= n) return;
  out[i] = v;
}
__global__ void some(int *out, int *more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  put(out, i < n ? i : 0, i < n ? n : 0, threadIdx.x);
  more[i] = i;
}
