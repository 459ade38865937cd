// expect: race-free=refuted
// Rows of one cell more than they are apart.
__global__ void scale(const float *in, float *out, int width) {
  for (int i = threadIdx.x; i <= width; i += blockDim.x) out[blockIdx.x * width + i] = in[i] + blockIdx.x;
}
