// expect: race-free=refuted
// Three words at a time into rows of four: the second triple of a thread reaches into its neighbour's row.
__global__ void spread(unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto k = (uint3 *)(out + 4 * i);
  for (int round = 0; round < n; round++) *k++ = make_uint3(i, i, i);
}
