// expect: race-free=proved barriers=proved
// What a switch and a do loop test is captured at each evaluation.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, kind = 1, rounds = 0;
  switch (kind = 2, apply([=] { return kind; })) {
    case 1: a[0] = i; break;
    case 2:
      do rounds++; while (apply([=] { return rounds < 4; }));
      a[4 * i + rounds - 1] = i;
  }
}
