// spmd: block=128 grid=3 n=203 require n >= 1, n <= 256
// Blelloch with padding against bank conflicts: the same sums at other places.
__device__ int at(int i) { return i + i / 32; }
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int tree[256 + 8];
  int t = threadIdx.x;
  const int *x = in + blockIdx.x * n;
  for (int i = t; i < 256; i += 128) tree[at(i)] = i < n ? x[i] : 0;
  for (int s = 1; s < 256; s *= 2) {
    __syncthreads();
    int i = (t + 1) * 2 * s - 1;
    if (i < 256) tree[at(i)] += tree[at(i - s)];
  }
  if (t == 0) tree[at(255)] = 0;
  for (int s = 128; s > 0; s /= 2) {
    __syncthreads();
    int i = (t + 1) * 2 * s - 1;
    if (i < 256) {
      int left = tree[at(i - s)];
      tree[at(i - s)] = tree[at(i)];
      tree[at(i)] += left;
    }
  }
  __syncthreads();
  for (int j = t; j < n; j += 128) out[blockIdx.x * n + j] = tree[at(j)] + x[j];
}
