// expect: barriers=refuted
// spmd: block=64 grid=2 require n > 0, n <= 128
// Lanes beyond n never come to the exchange that names them.
__global__ void sum(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    out[i] = v;
  }
}
