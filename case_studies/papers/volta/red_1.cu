// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// A block sums up 128 values: in each round the threads whose number is a multiple of the step add their neighbour.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
