// expect: race-free=refuted
// spmd: block=64 grid=1
// The data may send two threads to one cell.
__global__ void scatter(const int *where, int *out) {
  out[where[threadIdx.x]] = threadIdx.x;
}
