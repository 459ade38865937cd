// The one-dimensional Haar wavelet of a stretch a block: averages stay in shared memory, details leave at once.
// spmd: block=4 grid=2 levels=3 require levels > 0, levels <= 3
__global__ void haar(const float *in, float *details, float *averages, int levels) {
  __shared__ float s[8];
  int t = threadIdx.x;
  int base = 2 * blockIdx.x * blockDim.x;
  s[t] = in[base + t];
  s[t + blockDim.x] = in[base + t + blockDim.x];
  __syncthreads();
  int active = blockDim.x;
  for (int level = 0; level < levels; level++) {
    float even = 0.0f, odd = 0.0f;
    if (t < active) {
      even = s[2 * t];
      odd = s[2 * t + 1];
    }
    __syncthreads();
    if (t < active) {
      s[t] = 0.70710678f * (even + odd);
      details[base + active + t] = 0.70710678f * (even - odd);
    }
    __syncthreads();
    active /= 2;
  }
  if (t == 0) averages[blockIdx.x] = s[0];
}
