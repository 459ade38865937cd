// expect: verdict=proved
// spmd: block=32 grid=1
// Bit-fields take the items of a list one after another; what has none is 0.
struct Two { signed char low : 4; signed char high : 4; };
struct Three { unsigned a : 3, : 2, b : 3; int rest; };
__global__ void k(signed char *out, int *sums) {
  auto two = Two{(signed char)(threadIdx.x & 7), (signed char)1};
  out[threadIdx.x] = *((signed char *)&two);
  Three three = {5, 9};
  Three one = {1};
  if (three.b != 1 || three.a != 5 || three.rest != 0 || one.b != 0 || out[threadIdx.x] / 16 != 1) sums[0] = threadIdx.x;
}
