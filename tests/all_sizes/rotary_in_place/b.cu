// spmd: block=128 grid=T q[T*H*D] cosines[T*(D/2)] sines[T*(D/2)] require T > 0, H > 0, D > 1, T <= 1000, H <= 200, D <= 1000
__global__ void rotate_rows(float *q, const float *cosines, const float *sines, int T, int H, int D) {
  int t = blockIdx.x;
  int half = D / 2;
  for (int i = threadIdx.x; i < H * half; i += blockDim.x) {
    int h = i / half, d = i % half;
    float *p = q + (t * H + h) * D + d;
    float c = cosines[t * half + d], s = sines[t * half + d];
    float a = p[0], b = p[half];
    p[0] = a * c - b * s;
    p[half] = a * s + b * c;
  }
}
