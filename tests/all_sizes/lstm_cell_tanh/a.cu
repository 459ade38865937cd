// spmd: block=128 grid=(batch*hidden+127)/128 gates[4*batch*hidden] c[batch*hidden] h[batch*hidden] require batch > 0, batch <= 10000, hidden > 0, hidden <= 10000
__global__ void lstm(const float *gates, float *c, float *h, int batch, int hidden) {
  int k = blockIdx.x * 128 + threadIdx.x;
  if (k >= batch * hidden) return;
  const float *g = gates + k / hidden * 4 * hidden + k % hidden;
  float i = 1.0f / (1.0f + expf(-g[0])), f = 1.0f / (1.0f + expf(-g[hidden]));
  float u = tanhf(g[2 * hidden]), o = 1.0f / (1.0f + expf(-g[3 * hidden]));
  float next = f * c[k] + i * u;
  c[k] = next;
  h[k] = o * tanhf(next);
}
