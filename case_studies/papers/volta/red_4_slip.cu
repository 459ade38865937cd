// spmd: block=64 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// A slip: the last step of the tree is left out.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t] + in[blockIdx.x * 128 + t + 64];
  __syncthreads();
  for (int d = 32; d > 1; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
