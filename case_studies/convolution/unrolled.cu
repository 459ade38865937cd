// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// The loop over the taps is written out, and the products are summed in one expression.
__device__ float at(const float *in, int j, int n) { return j >= 0 && j < n ? in[j] : 0.0f; }
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = taps[0] * at(in, i - 3, n) + taps[1] * at(in, i - 2, n) + taps[2] * at(in, i - 1, n) + taps[3] * at(in, i, n) +
           taps[4] * at(in, i + 1, n) + taps[5] * at(in, i + 2, n) + taps[6] * at(in, i + 3, n);
}
