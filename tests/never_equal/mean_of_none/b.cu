// spmd: block=4 grid=1 w[64] out[4]
__global__ void mean(const float *w, float *out) {
  int i = threadIdx.x;
  out[i] = 1.0f > w[i * 16] ? 3.0f : 4.0f;
}
