// spmd: block=32,4 grid=(w+31)/32,(h+3)/4,n*c y[n*c*h*w] x[n*c*h*w] k[c*3] require n > 0, c > 0, h > 0, w > 0, n*c <= 60000, n*c*h <= 10000000, n*c*h*w <= 100000000
__global__ void planes(const float *x, const float *k, float *y, int n, int c, int h, int w) {
  __shared__ float weights[3];
  int plane = blockIdx.z, lane = threadIdx.y * 32 + threadIdx.x;
  if (lane < 3) weights[lane] = k[plane % c * 3 + lane];
  __syncthreads();
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
  if (column >= w || row >= h) return;
  const float *from = x + plane * h * w;
  float sum = 0.0f;
  for (int d = 0; d < 3; d++) {
    if (row + d < 1 || row + d > h) continue;
    sum += from[(row + d - 1) * w + column] * weights[d];
  }
  y[plane * h * w + row * w + column] = sum;
}
