// expect: race-free=refuted
// A helper that takes a closure by value moves a copy's counter: the caller's still says 0.
template <class F> __device__ unsigned skip(F f) { return f(blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void k(int *a) {
  auto next = [at = 0u](unsigned by) mutable { at += by; return at; };
  skip(next);
  a[next(0)] = blockIdx.x;
}
