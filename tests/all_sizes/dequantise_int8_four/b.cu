// spmd: block=64 grid=rows q[rows*cols] scale[rows] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000, cols % 4 == 0
__global__ void dequantise_four(const signed char *q, const float *scale, float *out, int rows, int cols) {
  const char4 *in = reinterpret_cast<const char4 *>(q + blockIdx.x * cols);
  float4 *y = reinterpret_cast<float4 *>(out + blockIdx.x * cols);
  float s = scale[blockIdx.x];
  for (int j = threadIdx.x; j < cols / 4; j += 64) {
    char4 v = in[j];
    y[j] = make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
  }
}
