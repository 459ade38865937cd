// spmd: block=32 grid=blocks x[2*keys] y[2*keys] out[32*blocks] require keys > 0, keys <= 100000, keys % 4 == 0, blocks > 0, blocks <= 1000
__global__ void mean(const float *x, const float *y, float *out, int keys, int blocks) {
  float sum = 0.0f, weight = 0.0f;
  for (int j = 0; j + 4 <= keys; j += 4) {
    sum += x[2 * j] * y[2 * j] + x[2 * j + 2] * y[2 * j + 2];
    sum += x[2 * j + 4] * y[2 * j + 4] + x[2 * j + 6] * y[2 * j + 6];
    weight += y[2 * j] + y[2 * j + 2];
    weight += y[2 * j + 4] + y[2 * j + 6];
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum / weight;
}
