// spmd: block=16,16 grid=(W/2+15)/16,(H/2+15)/16,C out[C*(H/2)*(W/2)] in[C*H*W] require C > 0, H > 1, W > 1, C <= 1000, H <= 1000, W <= 1000
__global__ void pool(float *out, const float *in, int C, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
  if (x >= W / 2 || y >= H / 2) return;
  float m = -INFINITY;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) m = fmaxf(m, in[(c * H + 2 * y + i) * W + 2 * x + j]);
  out[(c * (H / 2) + y) * (W / 2) + x] = m;
}
