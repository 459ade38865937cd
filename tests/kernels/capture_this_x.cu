// expect: race-free=refuted
// The lambda refers to the object, whose place has become the neighbour's first.
struct Row {
  int *base;
  int at;
  __device__ auto follow() { return [this](int v) { base[at] = v; }; }
};
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Row row{a, i};
  auto follow = row.follow();
  follow(1);
  row.at++;
  follow(2 + threadIdx.x);
}
