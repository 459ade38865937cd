// expect: verdict=refuted
// spmd: block=32 grid=1
// The second of two bit-fields is the higher one: two threads have the same number in it.
struct Two { signed char low : 4; signed char high : 4; };
__global__ void k(int *out) {
  auto two = Two{(signed char)(threadIdx.x & 7), (signed char)(threadIdx.x & 3)};
  out[*((signed char *)&two) >> 4] = threadIdx.x;
}
