// spmd: block=256 grid=(T*H*(D/2)+255)/256 q[T*H*D] cosines[T*(D/2)] sines[T*(D/2)] require T > 0, H > 0, D > 1, T <= 1000, H <= 200, D <= 1000
__global__ void rotate(float *q, const float *cosines, const float *sines, int T, int H, int D) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = D / 2;
  if (i >= T * H * half) return;
  int d = i % half, h = (i / half) % H, t = i / (half * H);
  int base = (t * H + h) * D;
  float a = q[base + d], b = q[base + d + half];
  float c = cosines[t * half + d], s = sines[t * half + d];
  q[base + d] = a * c - b * s;
  q[base + d + half] = a * s + b * c;
}
