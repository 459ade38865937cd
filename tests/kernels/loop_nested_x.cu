// expect: race-free=refuted barriers=proved
// What the last inner round of one outer round writes, the first of the next one reads, with no barrier between.
__global__ void nest(int *o, int n, int m) {
  extern __shared__ int s[];
  int t = threadIdx.x, x = 0;
  s[t] = 0;
  if (t == 0) s[blockDim.x] = 0;
  __syncthreads();
  for (int a = 0; a < n; a++) {
    int b = 0;
    do {
      if (b == 0) x += s[t + 1];
      __syncthreads();
      if (b == m - 1 && m > 2) s[t] = a;
      b++;
    } while (b < m);
  }
  o[blockIdx.x * blockDim.x + t] = x;
}
