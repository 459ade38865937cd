// expect: race-free=refuted
// Records of five words, four words apart: the last word of one is the first of the next.
struct Key { unsigned word[5]; };
__global__ void keys(unsigned *out, unsigned n) {
  __shared__ unsigned data[2 + 5 * 1024];
  Key *key = (Key *)&data[2];
  for (unsigned round = 0; round < n; round++) {
    key = (Key *)&data[2 + 4 * threadIdx.x];
    for (int at = 0; at < 5; at++) key->word[at] = threadIdx.x + at;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = n ? key->word[2] : 0;
}
