// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// Each thread sums up several values first; the last warp goes in step as before.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) sum += in[i];
  s[t] = sum;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile float *v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
