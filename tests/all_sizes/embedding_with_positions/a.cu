// spmd: block=256 grid=(tokens*dim+255)/256 ids[tokens] positions[tokens*dim] out[tokens*dim] require tokens > 0, tokens <= 10000, dim > 0, dim <= 10000, dim % 4 == 0, vocab > 0, vocab <= 20000
__global__ void encode(const int *ids, const float *table, const float *positions, float *out, int tokens, int dim, int vocab) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < tokens * dim) out[i] = table[(size_t)ids[i / dim] * dim + i % dim] + positions[i];
}
