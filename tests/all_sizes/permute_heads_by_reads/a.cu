// spmd: block=256 grid=(B*N*H*D+255)/256 o[B*N*H*D] in[B*N*H*D] require B > 0, N > 0, H > 0, D > 0, B*N <= 40000, H*D <= 40000
__global__ void permute(float *o, const float *in, int B, int N, int H, int D) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= B * N * H * D) return;
  int d = i % D, h = i / D % H, n = i / (D * H) % N, b = i / (D * H * N);
  o[((b * H + h) * N + n) * D + d] = in[i];
}
