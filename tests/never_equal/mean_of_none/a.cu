// spmd: block=4 grid=1 w[64] out[4]
// The weights that are positive, each divided by their number: they sum to 1 unless there are none.
__global__ void mean(const float *w, float *out) {
  int i = threadIdx.x;
  float count = 0.0f, total = 0.0f;
  for (int j = 0; j < 16; j++) count += w[i * 16 + j] > 0.0f;
  for (int j = 0; j < 16; j++) total += (w[i * 16 + j] > 0.0f) / count;
  out[i] = total > w[i * 16] ? 3.0f : 4.0f;
}
