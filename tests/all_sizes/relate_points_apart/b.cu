// spmd: block=256 grid=blocks v[3*n] x[n] y[n] z[n] require n > 0, n <= 100000, blocks > 0, blocks <= 1000
__global__ void drift_apart(const float *v, float *x, float *y, float *z, float dt, int n, int blocks) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    x[i] = v[3 * i] * dt;
    y[i] = v[3 * i + 1] * dt;
    z[i] = v[3 * i + 2] * dt;
  }
}
