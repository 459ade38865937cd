// expect: race-free=proved barriers=proved
// A helper that takes a closure by reference moves the caller's counter; it has moved on to a place of the thread's own.
template <class F> __device__ unsigned skip(F &&f) { return f(); }
__global__ void k(int *a) {
  auto next = [at = 0u](unsigned by) mutable { at += by; return at; };
  auto step = [&next] { return next(blockIdx.x * blockDim.x + threadIdx.x); };
  skip(step);
  a[next(0)] = blockIdx.x;
}
