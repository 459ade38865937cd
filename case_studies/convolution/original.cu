// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// Convolution with 7 taps, zeros beyond the ends; one thread an output.
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 7; k++) {
    int j = i + k - 3;
    sum += taps[k] * (j >= 0 && j < n ? in[j] : 0.0f);
  }
  out[i] = sum;
}
