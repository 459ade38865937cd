// spmd: block=128 grid=(rows+3)/4 rows=5 groups=3 require rows >= 1, rows <= 16384, groups >= 1, groups <= 512
// One warp a row: each lane takes four columns of a group as char4 and float4, scales their sum once, and shuffles add the lanes.
__global__ void product(const signed char *__restrict__ q, const float *__restrict__ scale, const float *__restrict__ x,
                        float *__restrict__ out, int rows, int groups) {
  int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (row >= rows) return;
  const char4 *w = reinterpret_cast<const char4 *>(q + row * groups * 128);
  const float4 *v = reinterpret_cast<const float4 *>(x);
  float sum = 0.0f;
  for (int g = 0; g < groups; g++) {
    char4 a = w[g * 32 + lane];
    float4 b = v[g * 32 + lane];
    sum += scale[row * groups + g] * ((float)a.x * b.x + (float)a.y * b.y + (float)a.z * b.z + (float)a.w * b.w);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) out[row] = sum;
}
