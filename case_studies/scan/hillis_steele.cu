// spmd: block=256 grid=3 n=203 require n >= 1, n <= 256
// Hillis and Steele: in step d each element adds the one d before it; two buffers, one block a row.
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int buffer[2][256];
  int t = threadIdx.x, from = 0;
  buffer[0][t] = t < n ? in[blockIdx.x * n + t] : 0;
  __syncthreads();  // the row is loaded
  for (int d = 1; d < 256; d *= 2) {
    int to = 1 - from;
    buffer[to][t] = t >= d ? buffer[from][t] + buffer[from][t - d] : buffer[from][t];
    from = to;
    __syncthreads();  // the step is done
  }
  if (t < n) out[blockIdx.x * n + t] = buffer[from][t];
}
