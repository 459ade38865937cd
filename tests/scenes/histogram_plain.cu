// A histogram of a block in plain shared counters, chosen by the data: two threads with one bin lose a count.
// spmd: block=8 grid=2 n=14 require n > 0
__global__ void histogram_plain(const unsigned char *data, unsigned *partial, int n) {
  __shared__ unsigned counters[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  counters[t] = 0;
  __syncthreads();
  if (i < n) counters[data[i] >> 5]++;
  __syncthreads();
  partial[blockIdx.x * 8 + t] = counters[t];
}
