// spmd: block=128 grid=(n+1023)/1024 n=1000 require n >= 1, n <= 1000000000, n % 8 == 0
// One word a thread: eight numbers, two float4 stores.
__device__ __forceinline__ float number(unsigned word, int k) { return (float)((int)((word >> (4 * k)) & 0xfu) - 8); }
__global__ void unpack(const unsigned *__restrict__ packed, const float *__restrict__ scale, float *__restrict__ out, int n) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= n / 8) return;
  unsigned word = packed[w];
  float s = scale[0];
  float4 *to = reinterpret_cast<float4 *>(out) + 2 * w;
  to[0] = make_float4(number(word, 0) * s, number(word, 1) * s, number(word, 2) * s, number(word, 3) * s);
  to[1] = make_float4(number(word, 4) * s, number(word, 5) * s, number(word, 6) * s, number(word, 7) * s);
}
