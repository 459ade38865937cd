// expect: race-free=proved order-free=proved no-wrap=proved
// Three words at a time, from wherever a row of sixteen begins; the length is counted down.
__global__ void hash(unsigned *out, const unsigned *keys, const unsigned *lengths, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned length = lengths[i], sum = 0;
  for (auto k = (const uint3 *)(keys + 16 * i); length > 12; length -= 12) {
    uint3 v = *k++;
    sum += v.x ^ v.y ^ v.z;
  }
  out[i] = sum + length;
}
