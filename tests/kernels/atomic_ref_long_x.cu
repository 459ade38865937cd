// expect: race-free=refuted
// spmd: block=32 grid=2
// A plain read of what others update.
#include <cuda/atomic>
__global__ void k(long *most, long *out, const long *a) {
  cuda::atomic_ref<long, cuda::thread_scope_device> best(most[0]);
  best.fetch_max(a[threadIdx.x], cuda::std::memory_order_relaxed);
  out[threadIdx.x + 32 * blockIdx.x] = most[0];
}
