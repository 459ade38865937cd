// expect: race-free=refuted
// The first function is another one than the second: the halved places are shared by two threads.
typedef int (*Map)(int);
__device__ int same(int x) { return x; }
__device__ int half_of(int x) { return x / 2; }
template <Map F> __device__ int at(int x) { return F == half_of ? x / 2 : F ? F(x) : 0; }
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[at<half_of>(i)] = at<same>(i);
}
