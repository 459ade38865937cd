// spmd: block=256 grid=(n/4+256)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void scale_quads(const float *x, float *out, float a, int n) {
  int q = blockIdx.x * 256 + threadIdx.x;
  int quads = n / 4;
  if (q < quads) {
    float4 v = reinterpret_cast<const float4 *>(x)[q];
    v.x = a * v.x;
    v.y = a * v.y;
    v.z = a * v.z;
    v.w = a * v.w;
    reinterpret_cast<float4 *>(out)[q] = v;
  } else if (q == quads) {
    for (int i = 4 * quads; i < n; i++) out[i] = a * x[i];
  }
}
