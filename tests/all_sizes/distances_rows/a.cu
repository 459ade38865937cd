// spmd: block=64 grid=(n*k+63)/64 x[n*dim] y[k*dim] out[n*k] require n > 0, k > 0, n <= 10000, k <= 10000, dim >= 0, dim <= 10000
__global__ void distances(const float *x, const float *y, float *out, int n, int k, int dim) {
  int at = blockIdx.x * 64 + threadIdx.x;
  if (at >= n * k) return;
  int i = at / k, c = at % k;
  float s = 0.0f;
  for (int d = 0; d < dim; d++) s += (x[i * dim + d] - y[c * dim + d]) * (x[i * dim + d] - y[c * dim + d]);
  out[at] = s;
}
