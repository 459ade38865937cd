// expect: race-free=proved no-wrap=proved
// A float becomes an integer, one constant where it is too large; the sum overflows for large data alone, which is assumed away.
__global__ void quantise(signed char *out, const float *in, float scale, int zero, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float x = nearbyintf(in[blockIdx.x * n + i] / scale);
    int whole = x >= 2147483648.0f ? 2147483647 : (int)x;
    int moved = whole + zero;
    out[(size_t)blockIdx.x * n + i] = (signed char)(moved < -128 ? -128 : moved > 127 ? 127 : moved);
  }
}
