// expect: race-free=refuted
// The same with the value before the assignment meant for the switch: all threads come to the first case.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, kind = 2;
  switch (kind = 1, apply([=] { return kind; })) {
    case 1: a[0] = i; break;
    case 2: a[i] = i;
  }
}
