// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// Each thread loads its own input, the first and last three load the halo too; taps in shared memory.
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  __shared__ float tile[128 + 6], w[7];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  tile[t + 3] = i < n ? in[i] : 0.0f;
  if (t < 3) tile[t] = i >= 3 ? in[i - 3] : 0.0f;
  if (t >= 125) tile[t + 6] = i + 3 < n ? in[i + 3] : 0.0f;
  if (t < 7) w[t] = taps[t];
  __syncthreads();  // tile and taps are loaded
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 7; k++) sum += w[k] * tile[t + k];
  out[i] = sum;
}
