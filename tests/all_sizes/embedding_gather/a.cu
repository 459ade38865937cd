// spmd: block=256 grid=(tokens*dim+255)/256 ids[tokens] out[tokens*dim] require tokens > 0, tokens <= 10000, dim >= 0, dim <= 10000, vocab > 0, vocab <= 100000
__global__ void gather(const int *ids, const float *table, float *out, int tokens, int dim, int vocab) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < tokens * dim) out[i] = table[(size_t)ids[i / dim] * dim + i % dim];
}
