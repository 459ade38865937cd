// expect: verdict=invalid message=:5:17: 'fill' is a template: say its arguments
// spmd: block=32 grid=1
// A kernel template.
template <int N>
__global__ void fill(int *out) {
  out[N * threadIdx.x] = 1;
}
