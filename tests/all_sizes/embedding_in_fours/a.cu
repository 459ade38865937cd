// spmd: block=256 grid=(B*T*C+255)/256 out[B*T*C] ids[B*T] positions[T*C] require B > 0, T > 0, C > 0, B <= 300, T <= 300, C <= 4000, C % 4 == 0
__global__ void embed(float *out, const int *ids, const float *table, const float *positions, int B, int T, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * T * C) {
    int bt = i / C, t = bt % T, c = i % C;
    out[i] = table[ids[bt] * C + c] + positions[t * C + c];
  }
}
