// expect: race-free=proved barriers=proved assertions=proved
// Functions compare equal to themselves alone, and to no null pointer.
typedef int (*Map)(int);
__device__ int same(int x) { return x; }
__device__ int half_of(int x) { return x / 2; }
template <Map F> __device__ int at(int x) { return F == half_of ? 2 * x : F ? F(x) : 0; }
__global__ void k(int *a) {
  Map f = half_of;
  Map g = same;
  assert(f != g && f == half_of && g != nullptr && !(f == 0));
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[at<half_of>(i)] = at<same>(i);
}
