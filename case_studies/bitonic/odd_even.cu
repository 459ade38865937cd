// spmd: block=64 grid=4
// Another network: Batcher's odd-even merge sort. That it sorts as well is a law of orders.
__global__ void sort(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int p = 1; p < 64; p *= 2)
    for (int k = p; k > 0; k /= 2) {
      int i = t + k;
      bool first = t >= k % p && (t - k % p) % (2 * k) < k;
      if (i < 64 && first && t / (2 * p) == i / (2 * p)) {
        float a = s[t], b = s[i];
        s[t] = fminf(a, b);
        s[i] = fmaxf(a, b);
      }
      __syncthreads();
    }
  data[blockIdx.x * 64 + t] = s[t];
}
