// A histogram by atomic additions to counters in global memory; the data choose the counter.
// spmd: block=4 grid=2 n=19 require n > 0
__global__ void histogram_atomics(const unsigned *data, unsigned *counters, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counters[data[i] & 15u], 1u);
  }
}
