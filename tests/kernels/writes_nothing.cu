// expect: verdict=proved
// spmd: block=64 grid=2
// A kernel that writes nothing is clean, and the report must say that it rests on no write.
__global__ void nothing(const int *in, int n) {
  int t = threadIdx.x;
  int unused = t < n ? in[t] : 0;
}
