// The last step of a radix sort: each key goes where the start of its digit and its rank within the digit say.
// spmd: block=4 grid=2 n=8 shift=2 require n > 0, shift >= 0, shift <= 28
__global__ void radix_scatter(const unsigned *keys, const int *starts, const int *ranks, unsigned *sorted, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned digit = (keys[i] >> shift) & 15u;
  sorted[starts[digit] + ranks[i]] = keys[i];
}
