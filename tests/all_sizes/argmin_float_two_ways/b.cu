// spmd: block=128 grid=(n+127)/128 x[n] centres[k] at[n] require n > 0, n <= 1000000, k >= 1, k <= 10000
__global__ void nearest_staged(const float *x, const float *centres, int *at, int n, int k) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float mine = i < n ? x[i] : 0.0f;
  int where = 0;
  float best = 0.0f;
  for (int first = 0; first < k; first += 128) {
    if (first + t < k) s[t] = centres[first + t];
    __syncthreads();
    int count = min(128, k - first);
    for (int c = 0; c < count; c++) {
      float d = (mine - s[c]) * (mine - s[c]);
      if (first + c == 0 || d < best) {
        best = d;
        where = first + c;
      }
    }
    __syncthreads();
  }
  if (i < n) at[i] = where;
}
