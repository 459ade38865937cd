// spmd: block=64 grid=2*rows x[rows*2*half] out[2*rows] require rows > 0, rows <= 5000, half >= 0, half <= 2000
__global__ void halves(const float *x, float *out, int rows, int half) {
  __shared__ float s[64];
  float sum = 0;
  for (int j = threadIdx.x; j < half; j += 64) sum += x[blockIdx.x * half + j];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
