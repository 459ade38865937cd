// spmd: block=4 grid=1 v[4] w[4] out[4]
// What is divided by is a difference of equal quotients: zero, whatever the data.
__global__ void nothing(const float *v, const float *w, float *out) {
  int i = threadIdx.x;
  float gap = v[i] / (2.0f + w[i]) - v[i] / (w[i] + 2.0f);
  out[i] = w[i] / (gap + gap);
}
