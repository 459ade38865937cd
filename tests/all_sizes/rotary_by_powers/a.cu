// spmd: block=128 grid=(B*T*H*(D/2)+127)/128 q[B*T*H*D] out[B*T*H*D] require B > 0, T > 0, H > 0, D > 1, D % 2 == 0, B <= 50, T <= 200, H <= 40, D <= 200
__global__ void rotary(const float *q, float *out, int B, int T, int H, int D) {
  int idx = blockIdx.x * 128 + threadIdx.x, half = D / 2;
  if (idx >= B * T * H * half) return;
  int i = idx % half, h = (idx / half) % H, t = (idx / (half * H)) % T, b = idx / (half * H * T);
  float angle = t * powf(10000.0f, -2.0f * i / D);
  float c = cosf(angle), s = sinf(angle);
  int base = ((b * T + t) * H + h) * D + 2 * i;
  float x0 = q[base], x1 = q[base + 1];
  out[base] = x0 * c - x1 * s;
  out[base + 1] = x0 * s + x1 * c;
}
