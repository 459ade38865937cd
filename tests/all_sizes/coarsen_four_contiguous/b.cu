// spmd: block=256 grid=(n+1023)/1024 x[n] out[n] require n > 0, n <= 1000000
__global__ void scale_four(const float *x, float *out, float a, float b, int n) {
  int first = (blockIdx.x * 256 + threadIdx.x) * 4;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    int i = first + j;
    if (i < n) out[i] = a * x[i] + b;
  }
}
