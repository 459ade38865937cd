// spmd: block=64 grid=B*T q[B*T*H*D] out[B*T*H*D] require B > 0, T > 0, H > 0, D > 1, D % 2 == 0, B <= 50, T <= 200, H <= 40, D <= 200
__global__ void rotary_token(const float *q, float *out, int B, int T, int H, int D) {
  int token = blockIdx.x, t = token % T, half = D / 2, pairs = H * half;
  const float2 *from = (const float2 *)q + token * pairs;
  float2 *to = (float2 *)out + token * pairs;
  for (int p = threadIdx.x; p < pairs; p += 64) {
    int i = p % half;
    float angle = t * (1.0f / powf(10000.0f, (float)(2 * i) / (float)D));
    float c = cosf(angle), s = sinf(angle);
    float2 v = from[p];
    to[p] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
  }
}
