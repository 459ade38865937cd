// spmd: block=64 grid=rows x[rows*cols] at[rows] require rows > 0, rows <= 20000, cols >= 1, cols <= 20000
__global__ void argmax_tree(const int *x, int *at, int rows, int cols) {
  __shared__ int values[64], places[64];
  int t = threadIdx.x;
  int best = -2147483647 - 1, where = 2147483647;
  for (int j = t; j < cols; j += 64) {
    int v = x[blockIdx.x * cols + j];
    if (v > best || (v == best && j < where)) {
      best = v;
      where = j;
    }
  }
  values[t] = best;
  places[t] = where;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      int v = values[t + d], p = places[t + d];
      if (v > values[t] || (v == values[t] && p < places[t])) {
        values[t] = v;
        places[t] = p;
      }
    }
    __syncthreads();
  }
  if (t == 0) at[blockIdx.x] = places[0];
}
