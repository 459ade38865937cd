// spmd: block=128 grid=(B*N*H*D+127)/128 o[B*N*H*D] in[B*N*H*D] require B > 0, N > 0, H > 0, D > 0, B*N <= 40000, H*D <= 40000
__global__ void permute_reads(float *o, const float *in, int B, int N, int H, int D) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= B * N * H * D) return;
  int b = i / (H * N * D), rest = i % (H * N * D);
  int h = rest / (N * D);
  rest = rest % (N * D);
  int n = rest / D, d = rest % D;
  o[i] = in[b * N * H * D + n * H * D + h * D + d];
}
