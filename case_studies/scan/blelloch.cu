// spmd: block=128 grid=3 n=203 require n >= 1, n <= 256
// Blelloch: sums go up a tree, prefixes come down; each thread holds two elements; exclusive, made inclusive at the end.
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int tree[256];
  int t = threadIdx.x;
  const int *x = in + blockIdx.x * n;
  for (int i = t; i < 256; i += 128) tree[i] = i < n ? x[i] : 0;
  for (int s = 1; s < 256; s *= 2) {
    __syncthreads();  // before a level up
    int i = (t + 1) * 2 * s - 1;
    if (i < 256) tree[i] += tree[i - s];
  }
  if (t == 0) tree[255] = 0;
  for (int s = 128; s > 0; s /= 2) {
    __syncthreads();  // before a level down
    int i = (t + 1) * 2 * s - 1;
    if (i < 256) {
      int left = tree[i - s];
      tree[i - s] = tree[i];
      tree[i] += left;
    }
  }
  __syncthreads();  // the prefixes are complete
  for (int j = t; j < n; j += 128) out[blockIdx.x * n + j] = tree[j] + x[j];
}
