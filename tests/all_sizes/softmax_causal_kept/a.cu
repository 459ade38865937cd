// spmd: block=128 grid=(heads*length+127)/128 o[heads*length*length] in[heads*length*length] require heads > 0, heads <= 2000, length > 0, length <= 1000
__global__ void causal(float *o, const float *in, int heads, int length) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= heads * length) return;
  int t = i % length;
  const float *x = in + i * length;
  float *y = o + i * length;
  float m = -INFINITY;
  for (int j = 0; j <= t; j++) m = fmaxf(m, x[j]);
  float s = 0.0f;
  for (int j = 0; j <= t; j++) {
    float e = expf(x[j] - m);
    s += e;
    y[j] = e;
  }
  for (int j = 0; j < length; j++) y[j] = j <= t ? y[j] / s : 0.0f;
}
