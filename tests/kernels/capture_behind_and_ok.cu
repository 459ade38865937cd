// expect: race-free=proved barriers=proved
// On the right of && and ?: a capture is taken there, and only if it comes to that.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;
  bool mine = (j = i) == i && apply([=] { return j; }) == i;
  int at = (j = 2 * i, mine) ? apply([j] { return j; }) : 0;
  a[at + apply([k = j++] { return k & 1; })] = j;
}
