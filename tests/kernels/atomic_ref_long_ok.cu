// expect: race-free=proved
// spmd: block=32 grid=2
#include <cuda/atomic>
__global__ void k(long *most, unsigned long *sum, const long *a) {
  cuda::atomic_ref<long, cuda::thread_scope_device> best(most[0]);
  best.fetch_max(a[threadIdx.x], cuda::std::memory_order_relaxed);
  cuda::atomic_ref<unsigned long, cuda::thread_scope_device>(sum[0]).fetch_add(1);
}
