// expect: race-free=refuted
// A class keeps its own field in the padding at the end of its base: the whole is 16 bytes, and so is the step from one to the next.
class Base { double x; int n; public: __device__ void put(int v) { n = v; } };
class Derived : public Base { public: int last; };
__global__ void k(Derived *a, int *out) {
  a[threadIdx.x].last = threadIdx.x;
  ((int *)a)[4 * threadIdx.x + 7] = blockIdx.x;
  a[threadIdx.x].put(3);
}
