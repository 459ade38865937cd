// expect: race-free=proved no-wrap=unknown
// The test holds for large contents alone, and the index overflows at every size: nothing of it hangs on how large they are.
__global__ void marked(int *out, const int *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (in[i] == 1000000) out[(i & 7) * 1000000000] = 1;
}
