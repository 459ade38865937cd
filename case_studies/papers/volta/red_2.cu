// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// The same sums by neighbouring threads: no divergence inside a warp.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int at = 2 * d * t;
    if (at < 128) s[at] += s[at + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
