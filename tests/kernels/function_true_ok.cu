// expect: race-free=proved barriers=proved
// A function is true as a condition, and the barrier below that test is there.
typedef float (*Map)(float);
__device__ float half_of(float x) { return 0.5f * x; }
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
  map_row<128>(row, half_of);
  out[i] = row[127 - threadIdx.x];
}
