// expect: verdict=proved race-free=proved barriers=proved order-free=proved
// spmd: block=1 grid=1
// A single thread races with nobody and diverges from nobody.
__global__ void alone(const float *in, float *out) {
  __shared__ float s;
  s = 0.0f;
  for (int k = 0; k < 8; k++) {
    s += in[k];
    if (in[k] > 0.0f) __syncthreads();
    out[0] = s;
  }
}
