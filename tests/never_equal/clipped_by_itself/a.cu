// spmd: block=8 grid=1 w[8] out[8]
__global__ void clipped(const float *w, float *out) {
  float up = fmaxf(w[threadIdx.x], 0.0f);
  out[threadIdx.x] = up / up + up;
}
