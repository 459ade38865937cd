// spmd: block=32 grid=tokens ids[tokens] positions[tokens*dim] out[tokens*dim] require tokens > 0, tokens <= 10000, dim > 0, dim <= 10000, dim % 4 == 0, vocab > 0, vocab <= 20000
__global__ void encode_four(const int *ids, const float *table, const float *positions, float *out, int tokens, int dim, int vocab) {
  int quads = dim / 4;
  const float4 *word = (const float4 *)table + (size_t)ids[blockIdx.x] * quads;
  const float4 *place = (const float4 *)positions + blockIdx.x * quads;
  float4 *y = (float4 *)out + blockIdx.x * quads;
  for (int j = threadIdx.x; j < quads; j += 32) {
    float4 u = word[j], v = place[j];
    y[j] = make_float4(v.x + u.x, v.y + u.y, v.z + u.z, v.w + u.w);
  }
}
