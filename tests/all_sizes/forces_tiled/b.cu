// spmd: block=64 grid=n/64 p[n] m[n] f[n] require n > 0, n <= 1000000, n % 64 == 0
__global__ void forces_tiled(const float *p, const float *m, float *f, float eps, int n) {
  __shared__ float ps[64], ms[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float mine = p[i], sum = 0.0f;
  for (int tile = 0; tile < gridDim.x; tile++) {
    ps[t] = p[tile * 64 + t];
    ms[t] = m[tile * 64 + t];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 64; j++) {
      float d = ps[j] - mine;
      float r = rsqrtf(d * d + eps);
      sum += ms[j] * d * r * r * r;
    }
    __syncthreads();
  }
  f[i] = sum;
}
