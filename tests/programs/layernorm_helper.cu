// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 cols=1000
// Layer norm of rows; the dynamic shared memory comes from a helper.
template <typename T> __device__ T *shared_memory() {
  extern __shared__ int raw[];
  return reinterpret_cast<T *>(raw);
}
__device__ float total(float v, float *red) {
  int t = threadIdx.x;
  red[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) red[t] += red[t + d];
    __syncthreads();
  }
  v = red[0];
  __syncthreads();
  return v;
}
__global__ void layernorm(const float *in, float *out, const float *g, const float *b, int cols) {
  float *red = shared_memory<float>();
  const float *x = in + blockIdx.x * cols;
  float s = 0, q = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) s += x[i];
  float mean = total(s, red) / cols;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) q += (x[i] - mean) * (x[i] - mean);
  float inv = rsqrtf(total(q, red) / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) out[blockIdx.x * cols + i] = (x[i] - mean) * inv * g[i] + b[i];
}
