// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// What a reference of a lambda is bound to by a call: the call is made once.
__device__ int &next(int *a, int &made) {
  made++;
  return a[0];
}
__global__ void k(int *out) {
  int made = 0;
  int own[1] = {7};
  const int &value = next(own, made);
  auto add = [&] { out[threadIdx.x] = value + made; };
  add();
  assert(made == 1);
}
