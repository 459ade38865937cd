// expect: order-free=refuted race-free=proved
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
// The right halo cell stays unset when the array does not end at a block.
__global__ void halo(const float *in, float *out, int n) {
  __shared__ float s[66];
  int t = threadIdx.x;
  int i = blockIdx.x * 64 + t;
  if (i < n) s[t + 1] = in[i];
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  if (t == 63 && i + 1 < n) s[65] = in[i + 1];
  __syncthreads();
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2];
}
