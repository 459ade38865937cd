// spmd: block=64 grid=(rows+63)/64 packed[16*rows*groups] scale[rows*groups] x[32*groups] out[rows] require rows > 0, rows <= 10000, groups >= 0, groups <= 1000
__global__ void dot_by_group(const unsigned char *packed, const float *scale, const float *x, float *out, int rows, int groups) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int g = 0; g < groups; g++) {
    float part = 0.0f;
    for (int k = 0; k < 16; k++) {
      int byte = packed[(r * groups + g) * 16 + k];
      part += (float)((byte & 15) - 8) * x[32 * g + 2 * k];
      part += (float)((byte >> 4) - 8) * x[32 * g + 2 * k + 1];
    }
    s += scale[r * groups + g] * part;
  }
  out[r] = s;
}
