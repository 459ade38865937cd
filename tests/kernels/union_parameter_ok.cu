// expect: verdict=proved
// A structure by value that holds a union, seen by its names and as an array: memory of the thread's own.
struct Matrix { union { struct { float a, b, c, d; }; float m[4]; }; };
struct Params { Matrix pose; float *out; int n; };
__global__ void k(Params p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  p.pose.m[1] = i;
  p.out[i] = p.pose.b + p.pose.m[i & 3];
}
