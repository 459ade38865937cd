// expect: race-free=refuted
// No function is not true: the barrier below that test is never reached.
typedef float (*Map)(float);
template <int N> __device__ void map_row(float *row, Map f) {
  if (f) {
    row[threadIdx.x] = f(row[threadIdx.x]);
    __syncthreads();
  }
}
__global__ void k(const float *in, float *out, int n) {
  __shared__ float row[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (blockDim.x != 128) return;
  row[threadIdx.x] = in[i];
  map_row<128>(row, nullptr);
  out[i] = row[127 - threadIdx.x];
}
