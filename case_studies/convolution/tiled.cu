// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// The block's inputs and a halo of 3 on both sides go through shared memory.
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  __shared__ float tile[128 + 6];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  for (int k = t; k < 128 + 6; k += 128) {
    int j = blockIdx.x * 128 + k - 3;
    tile[k] = j >= 0 && j < n ? in[j] : 0.0f;
  }
  __syncthreads();  // the tile is loaded
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 7; k++) sum += taps[k] * tile[t + k];
  out[i] = sum;
}
