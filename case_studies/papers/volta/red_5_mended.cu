// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// The last warp with the barriers of a warp between its steps, a read before each write.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    for (int d = 32; d > 0; d /= 2) {
      float sum = s[t] + s[t + d];
      __syncwarp();
      s[t] = sum;
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
