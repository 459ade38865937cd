// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// The lower half adds the upper half: neighbouring cells for neighbouring threads.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
