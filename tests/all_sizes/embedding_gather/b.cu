// spmd: block=64 grid=tokens ids[tokens] out[tokens*dim] require tokens > 0, tokens <= 10000, dim >= 0, dim <= 10000, vocab > 0, vocab <= 100000
__global__ void gather_rows(const int *ids, const float *table, float *out, int tokens, int dim, int vocab) {
  const float *row = table + (size_t)ids[blockIdx.x] * dim;
  for (int j = threadIdx.x; j < dim; j += blockDim.x) out[blockIdx.x * dim + j] = row[j];
}
