// spmd: block=64 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000, n % 4 == 0
// Four elements a thread as one float4, then shuffles.
__global__ void sum(const float *in, float *out, int n) {
  __shared__ float sums[2];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = 0.0f;
  if (i < n / 4) {
    float4 q = reinterpret_cast<const float4 *>(in)[i];
    v = (q.x + q.y) + (q.z + q.w);
  }
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  if (t % 32 == 0) sums[t / 32] = v;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sums[0] + sums[1];
}
