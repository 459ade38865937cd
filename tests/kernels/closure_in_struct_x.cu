// expect: race-free=refuted
// The second cursor was copied before the first moved on: both of a thread's stores are one place, and a neighbour's is another's.
template <class F> struct Cursor { F next; int *base; };
template <class F> __device__ Cursor<F> cursor(F next, int *base) { return {next, base}; }
__device__ auto counter(int from) { return [from]() mutable { return from++; }; }
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto one = cursor(counter(i), a);
  auto two = one;
  two.next();
  one.base[one.next()] = 1;
  two.base[two.next()] = 2 + threadIdx.x;
}
