// spmd: block=128 grid=rows rows=9 cols=200 require rows >= 1, rows <= 32767, cols >= 1, cols <= 32767, cols % 4 == 0
// One block a row: scale and zero point are read once a thread, four bytes become a float4.
__global__ void dequantise(const signed char *__restrict__ q, const float *__restrict__ scale, const signed char *__restrict__ zero,
                           float *__restrict__ out, int rows, int cols) {
  const char4 *from = reinterpret_cast<const char4 *>(q + blockIdx.x * cols);
  float4 *to = reinterpret_cast<float4 *>(out + blockIdx.x * cols);
  float s = scale[blockIdx.x];
  int z = zero[blockIdx.x];
  for (int j = threadIdx.x; j < cols / 4; j += blockDim.x) {
    char4 v = from[j];
    to[j] = make_float4(s * (float)(v.x - z), s * (float)(v.y - z), s * (float)(v.z - z), s * (float)(v.w - z));
  }
}
