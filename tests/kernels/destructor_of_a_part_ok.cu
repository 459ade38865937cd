// expect: race-free=proved barriers=proved
// The destructor of a part, which writes, writes the own cell.
struct Flag { int *at; __device__ ~Flag() { *at = threadIdx.x; } };
struct Work { Flag flag; int n; };
__global__ void k(int *a) {
  Work work{{a + 2048 * blockIdx.x + threadIdx.x}, 1};
  a[2048 * blockIdx.x + 1024 + threadIdx.x] = work.n;
}
