// spmd: block=4 grid=1 x[8] y[4] out[4]
__global__ void k(const float *x, const float *y, float *out) {
  float sum = 0;
  for (int j = 0; j < 8; j++)
    if (x[j] > y[threadIdx.x]) sum += x[j];
  out[threadIdx.x] = sum;
}
