// spmd: block=128 grid=(rows*groups+3)/4 rows=5 groups=3 require rows >= 1, rows <= 16384, groups >= 1, groups <= 512
// One warp a group: scale and minimum are read once, each lane turns four bytes into a float4.
__global__ void dequantise(const unsigned char *__restrict__ q, const float *__restrict__ scale, const float *__restrict__ least,
                           float *__restrict__ out, int rows, int groups) {
  int lane = threadIdx.x & 31, g = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (g >= rows * groups) return;
  float s = scale[g], m = least[g];
  uchar4 v = reinterpret_cast<const uchar4 *>(q)[g * 32 + lane];
  reinterpret_cast<float4 *>(out)[g * 32 + lane] =
      make_float4(fmaf(s, (float)v.x, m), fmaf(s, (float)v.y, m), fmaf(s, (float)v.z, m), fmaf(s, (float)v.w, m));
}
