// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// Convolution with 7 taps in constant memory, zeros beyond the ends; one thread an output.
__constant__ float taps[7];
__global__ void convolve(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 7; k++) {
    int j = i + k - 3;
    if (j >= 0 && j < n) sum += taps[k] * in[j];
  }
  out[i] = sum;
}
