// expect: verdict=proved race-free=proved
// spmd: block=64 grid=2
// References to parts of memory that is there for as long as the program are captured by no lambda.
__shared__ int of_file[2][64];
__global__ void k(int *out) {
  __shared__ int s[2][64];
  struct Both { int a[64]; };
  __shared__ Both both;
  auto &first = s[1];
  int (&second)[64] = both.a;
  int &one = of_file[1][3];
  auto add = [&](int at) {
    first[at] += 1;
    auto inner = [&] {
      second[at] = first[at];
      if (at == 0) one = 4;
    };
    inner();
  };
  first[threadIdx.x] = threadIdx.x;
  add(threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[1][63 - threadIdx.x] + both.a[threadIdx.x] + of_file[1][3];
}
