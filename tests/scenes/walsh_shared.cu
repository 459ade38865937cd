// The fast Walsh transform of a row a block, butterflies in shared memory.
// spmd: block=4 grid=2 log_length=3 require log_length == 3
__global__ void walsh_shared(const float *in, float *out, int log_length) {
  __shared__ float s[8];
  int length = 1 << log_length;
  int base = blockIdx.x << log_length;
  for (int i = threadIdx.x; i < length; i += blockDim.x) s[i] = in[base + i];
  for (int stride = length / 2; stride > 0; stride /= 2) {
    __syncthreads();
    for (int pair = threadIdx.x; pair < length / 2; pair += blockDim.x) {
      int low = pair & (stride - 1);
      int first = 2 * pair - low;
      float a = s[first], b = s[first + stride];
      s[first] = a + b;
      s[first + stride] = a - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) out[base + i] = s[i];
}
