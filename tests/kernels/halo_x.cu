// expect: race-free=refuted
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
// The right halo cell is filled after the barrier.
__global__ void halo(const float *in, float *out, int n) {
  __shared__ float s[66];
  int t = threadIdx.x;
  int i = blockIdx.x * 64 + t;
  s[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  __syncthreads();
  if (t == 0) s[65] = i + 64 < n ? in[i + 64] : 0.0f;
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2];
}
