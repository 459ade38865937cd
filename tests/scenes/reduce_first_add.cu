// A sum in each block of twice as many elements as threads, the first addition while loading.
// spmd: block=8 grid=2 n=29 require n > 0
__global__ void reduce_first_add(const float *in, float *out, int n) {
  __shared__ float s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * (2 * blockDim.x) + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  s[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) {
      sum += s[t + half];
      s[t] = sum;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum;
}
