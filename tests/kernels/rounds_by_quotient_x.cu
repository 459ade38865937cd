// expect: barriers=refuted
// spmd: require blockDim.x == 128
// The last thread makes a round less where the quotient by a parameter leaves one out.
__global__ void pack(int rows, int width, const float *in, float *out) {
  __shared__ float tile[128];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int first = row * 128 / width, last = ((row + 1) * 128 - threadIdx.x) / width;
    float sum = 0.0f;
    for (int start = first; start < last; start += 128) {
      __syncthreads();
      tile[threadIdx.x] = in[start + threadIdx.x];
      __syncthreads();
      sum += tile[127 - threadIdx.x];
    }
    int cell = row * 128 + threadIdx.x;
    out[cell] = sum;
  }
}
