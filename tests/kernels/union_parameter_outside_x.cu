// expect: race-free=proved bounds=refuted
// An array in a union by value has its extent.
struct Matrix { union { struct { float a, b, c, d; }; float m[4]; }; };
__global__ void k(Matrix pose, float *out, int i) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = pose.m[i];
}
