// spmd: block=8 grid=1 w[8] v[8] out[8]
// Shares of two masks: where neither holds, there are none.
__global__ void shares(const float *w, const float *v, float *out) {
  int i = threadIdx.x;
  float first = w[i] > 0.0f, second = v[i] > 0.0f, both = first + second;
  out[i] = first / both + second / both;
}
