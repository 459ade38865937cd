// spmd: block=256 grid=(n+511)/512 n=1000 require n >= 1, n <= 1000000000, n % 2 == 0
// One byte a thread, both numbers stored as a float2.
__global__ void unpack(const unsigned char *__restrict__ packed, const float *__restrict__ scale, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int byte = packed[i];
  float s = scale[0];
  reinterpret_cast<float2 *>(out)[i] = make_float2(((byte & 0x0f) - 8) * s, ((byte >> 4) - 8) * s);
}
