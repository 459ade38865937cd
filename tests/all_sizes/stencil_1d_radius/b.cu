// spmd: block=128 grid=(n+127)/128 x[n+2*radius] w[2*radius+1] out[n] require n > 0, n <= 1000000, radius >= 0, radius <= 16
__global__ void convolve_tile(const float *x, const float *w, float *out, int n, int radius) {
  __shared__ float s[128 + 32];
  int t = threadIdx.x, first = blockIdx.x * 128;
  for (int k = t; k < 128 + 2 * radius; k += 128)
    if (first + k < n + 2 * radius) s[k] = x[first + k];
  __syncthreads();
  if (first + t < n) {
    float sum = 0.0f;
    for (int k = -radius; k <= radius; k++) sum += w[k + radius] * s[t + radius + k];
    out[first + t] = sum;
  }
}
