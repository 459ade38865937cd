// spmd: block=16,8 grid=(w+15)/16,(h+7)/8,planes x[4*planes*w*h] out[planes*w*h] require planes > 0, w > 0, h > 0, planes <= 100, w <= 1000, h <= 1000
__global__ void pool_four(const float *x, float *out, int planes, int w, int h) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, p = blockIdx.z;
  if (i >= w || j >= h) return;
  const float *upper = x + (p * h + j) * 4 * w + 2 * i, *lower = upper + 2 * w;
  out[(p * h + j) * w + i] = fmaxf(fmaxf(upper[0], lower[0]), fmaxf(upper[1], lower[1]));
}
