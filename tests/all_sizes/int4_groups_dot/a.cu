// spmd: block=64 grid=(rows+63)/64 packed[16*rows*groups] scale[rows*groups] x[32*groups] out[rows] require rows > 0, rows <= 10000, groups >= 0, groups <= 1000
__global__ void dot(const unsigned char *packed, const float *scale, const float *x, float *out, int rows, int groups) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < 32 * groups; j++) {
    int byte = packed[r * 16 * groups + j / 2];
    int q = (j % 2 ? byte >> 4 : byte & 15) - 8;
    s += scale[r * groups + j / 32] * (float)q * x[j];
  }
  out[r] = s;
}
