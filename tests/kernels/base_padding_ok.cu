// expect: race-free=proved
// spmd: grid=1
// A class keeps its own field in the padding at the end of its base; what is written as integers is that of the same thread.
class Base { double x; int n; public: __device__ void put(int v) { n = v; } };
class Derived : public Base { public: int last; };
static_assert(sizeof(Derived) == 16);
__global__ void k(Derived *a, int *out) {
  a[threadIdx.x].last = threadIdx.x;
  ((int *)a)[4 * threadIdx.x + 3] = 5;
  a[threadIdx.x].put(3);
}
