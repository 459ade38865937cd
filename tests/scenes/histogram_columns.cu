// A histogram with a column of shared counters a thread, so that equal bins never meet; then one thread a bin adds up.
// spmd: block=4 grid=2 n=19 require n > 0
#define BINS 4
#define THREADS 4

__global__ void histogram_columns(const unsigned char *data, unsigned *partial, int n) {
  __shared__ unsigned counters[BINS * THREADS];
  int t = threadIdx.x;
  for (int bin = 0; bin < BINS; bin++) counters[bin * THREADS + t] = 0;
  for (int round = 0; round < 3; round++) {
    int i = (3 * blockIdx.x + round) * THREADS + t;
    if (i < n) counters[(data[i] >> 6) * THREADS + t] += 1;
  }
  __syncthreads();
  unsigned sum = 0;
  for (int other = 0; other < THREADS; other++) sum += counters[t * THREADS + other];
  partial[blockIdx.x * BINS + t] = sum;
}
