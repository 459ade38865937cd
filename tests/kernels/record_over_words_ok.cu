// expect: race-free=proved barriers=proved order-free=proved
// A pointer to records of five words that begin two words into the array: each thread has a record of its own.
struct Key { unsigned word[5]; };
__global__ void keys(unsigned *out, unsigned n) {
  __shared__ unsigned data[2 + 5 * 1024];
  Key *key = (Key *)&data[2];
  for (unsigned round = 0; round < n; round++) {
    key = (Key *)&data[2 + 5 * threadIdx.x];
    for (int at = 0; at < 5; at++) key->word[at] = round + at;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = n ? key->word[4] : 0;
}
