// spmd: block=32 grid=(n+31)/32 p[n] m[n] f[n] require n > 0, n <= 1000000
__global__ void forces_tiled(const float *p, const float *m, float *f, float eps, int n) {
  __shared__ float ps[32], ms[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  float mine = i < n ? p[i] : 0.0f, sum = 0.0f;
  for (int first = 0; first < n; first += 32) {
    ps[t] = first + t < n ? p[first + t] : mine;
    ms[t] = first + t < n ? m[first + t] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 32; j++) {
      float d = ps[j] - mine;
      sum += ms[j] * d / (d * d + eps);
    }
    __syncthreads();
  }
  if (i < n) f[i] = sum;
}
