// spmd: block=128 grid=(n+127)/128 x[n] centres[k] at[n] require n > 0, n <= 1000000, k >= 1, k <= 10000
__global__ void nearest(const float *x, const float *centres, int *at, int n, int k) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int where = 0;
  float best = (x[i] - centres[0]) * (x[i] - centres[0]);
  for (int c = 1; c < k; c++) {
    float d = (x[i] - centres[c]) * (x[i] - centres[c]);
    if (d < best) {
      best = d;
      where = c;
    }
  }
  at[i] = where;
}
