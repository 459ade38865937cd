// spmd: block=64 grid=(B*T*C/4+63)/64 out[B*T*C] ids[B*T] positions[T*C] require B > 0, T > 0, C > 0, B <= 300, T <= 300, C <= 4000, C % 4 == 0
__global__ void embed_four(float *out, const int *ids, const float *table, const float *positions, int B, int T, int C) {
  int quads = C / 4;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * T * quads) {
    int bt = i / quads, t = bt % T, c = i % quads;
    float4 word = ((const float4 *)table)[ids[bt] * quads + c];
    float4 place = ((const float4 *)positions)[t * quads + c];
    ((float4 *)out)[i] = make_float4(word.x + place.x, word.y + place.y, word.z + place.z, word.w + place.w);
  }
}
