// expect: race-free=proved barriers=proved
// A struct that holds a closure is copied with the closure's state, and made by a function that returns it.
template <class F> struct Cursor { F next; int *base; };
template <class F> __device__ Cursor<F> cursor(F next, int *base) { return {next, base}; }
__device__ auto counter(int from) { return [from]() mutable { return from++; }; }
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto one = cursor(counter(2 * i), a);
  auto two = one;
  one.next();
  one.base[one.next()] = 1;
  two.base[two.next()] = 2 + threadIdx.x;
}
