// The last steps of a tree, one warp, no barriers: right if lanes go in step.
__global__ void lock_step(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[64 * blockIdx.x + t];
  s[t + 32] = in[64 * blockIdx.x + t + 32];
  s[t] += s[t + 32];
  if (t < 16) s[t] += s[t + 16];
  if (t < 8) s[t] += s[t + 8];
  if (t < 4) s[t] += s[t + 4];
  if (t < 2) s[t] += s[t + 2];
  if (t < 1) out[blockIdx.x] = s[t] + s[t + 1];
}
