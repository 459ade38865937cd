// Bitonic sort of a stretch a block in shared memory; a pair is exchanged only where it is out of order.
// spmd: block=4 grid=2 length=8 ascending=1 require length == 8
__device__ void order(unsigned *a, unsigned *b, int up) {
  if ((*a > *b) == up) {
    unsigned held = *a;
    *a = *b;
    *b = held;
  }
}

__global__ void bitonic_sort(unsigned *keys, int length, int ascending) {
  __shared__ unsigned s[8];
  int t = threadIdx.x;
  unsigned *mine = keys + blockIdx.x * length;
  s[t] = mine[t];
  s[t + length / 2] = mine[t + length / 2];
  for (int size = 2; size <= length; size *= 2) {
    int up = ascending ^ ((t & (size / 2)) != 0 && size < length);
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int at = 2 * t - (t & (stride - 1));
      order(&s[at], &s[at + stride], up);
    }
  }
  __syncthreads();
  mine[t] = s[t];
  mine[t + length / 2] = s[t + length / 2];
}
