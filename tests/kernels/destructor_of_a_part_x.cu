// expect: race-free=refuted barriers=proved
// The destructor of a part, which writes, is not lost.
struct Flag { int *at; __device__ ~Flag() { *at = threadIdx.x; } };
struct Work { Flag flag; int n; };
__global__ void k(int *a) {
  Work work{{a}, 1};
  a[1 + threadIdx.x] = work.n;
}
