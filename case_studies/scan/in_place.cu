// spmd: block=256 grid=3 n=203 require n >= 1, n <= 256
// Hillis and Steele in one buffer: what a step reads is kept in a register across a second barrier.
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int buffer[256];
  int t = threadIdx.x;
  buffer[t] = t < n ? in[blockIdx.x * n + t] : 0;
  __syncthreads();  // the row is loaded
  for (int d = 1; d < 256; d *= 2) {
    int sum = buffer[t];
    if (t >= d) sum += buffer[t - d];
    __syncthreads();  // all have read
    buffer[t] = sum;
    __syncthreads();  // all have written
  }
  if (t < n) out[blockIdx.x * n + t] = buffer[t];
}
