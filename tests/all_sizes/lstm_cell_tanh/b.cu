__device__ float sigmoid(float x) { return 0.5f + 0.5f * tanhf(0.5f * x); }
// spmd: block=64 grid=batch gates[4*batch*hidden] c[batch*hidden] h[batch*hidden] require batch > 0, batch <= 10000, hidden > 0, hidden <= 10000
__global__ void lstm_rows(const float *gates, float *c, float *h, int batch, int hidden) {
  const float *row = gates + blockIdx.x * 4 * hidden;
  for (int j = threadIdx.x; j < hidden; j += 64) {
    int k = blockIdx.x * hidden + j;
    float i = sigmoid(row[j]), f = sigmoid(row[hidden + j]), u = tanhf(row[2 * hidden + j]), o = sigmoid(row[3 * hidden + j]);
    float next = i * u + c[k] * f;
    h[k] = o * tanhf(next);
    c[k] = next;
  }
}
