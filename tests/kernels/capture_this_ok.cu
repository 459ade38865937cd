// expect: race-free=proved barriers=proved
// A copy of the object around a lambda stays as it was; a reference to it follows.
struct Row {
  int *base;
  int at;
  __device__ auto here() { return [*this](int v) { base[at] = v; }; }
  __device__ auto follow() { return [this](int v) { base[at] = v; }; }
};
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Row row{a, 2 * i};
  auto here = row.here();
  auto follow = row.follow();
  row.at++;
  here(1);
  follow(2 + threadIdx.x);
}
