// expect: verdict=refuted race-free=refuted
#include <cuda_runtime.h>

namespace app::sizes {
constexpr int THREADS = 128;
constexpr int BLOCKS = 2 * THREADS / 64;
}

// The threads of a block read what others write.
template <typename T>
__global__ void halves(const T *in, T *out) {
  __shared__ T part[app::sizes::THREADS];
  unsigned i = blockIdx.x * app::sizes::THREADS + threadIdx.x;
  part[threadIdx.x] = in[i];
  // the barrier is missing
  out[i] = part[app::sizes::THREADS - 1 - threadIdx.x];
}

template <typename T>
void run(const T *in, T *out) {
  halves<<<app::sizes::BLOCKS, app::sizes::THREADS>>>(in, out);
}

int main() {
  float *a, *b;
  double *c, *d;
  cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMalloc(&c, 8192); cudaMalloc(&d, 8192);
  run<float>(a, b);
  run<double>(c, d);
  return 0;
}
