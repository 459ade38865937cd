// spmd: block=32 grid=1 n=1000
// One thread a sum: what the others must come to.
__global__ void sum(const float *in, float *out, int n) {
  int b = threadIdx.x;
  if (b >= 4) return;
  float total = 0.0f;
  for (int i = 0; i < 256; i++)
    if (b * 256 + i < n) total += in[b * 256 + i];
  out[b] = total;
}
