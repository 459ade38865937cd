// spmd: block=128 grid=(n/4+127)/128 x[n] y[n] out[n] require n > 0, n <= 1000000, n % 4 == 0
__global__ void fma_map_quads(const float *x, const float *y, float *out, int n) {
  const float4 *xs = (const float4 *)x, *ys = (const float4 *)y;
  float4 *outs = (float4 *)out;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 u = xs[i], v = ys[i];
    outs[i] = make_float4(u.x * v.x + u.x, u.y * v.y + u.y, u.z * v.z + u.z, u.w * v.w + u.w);
  }
}
