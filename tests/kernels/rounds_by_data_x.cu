// expect: no-wrap=unknown race-free=proved
// The index leaves int in round 2148, for a length that is small.
__global__ void far(const float *val, const int *lengths, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    float sum = 0;
    int most = lengths[row];
    for (int i = 0; i < most; i++) sum += val[i * 1000000];
    y[row] = sum;
  }
}
