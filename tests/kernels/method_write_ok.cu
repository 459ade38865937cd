// expect: race-free=proved order-free=proved
// spmd: block=64
// A method writes through a field of the object: each thread to two of its own.
struct Row {
  float *at;
  int step;
  __device__ void put(int i, float v) { at[i * step] = v; at[i * step + 1] = v + 2; }
};
__global__ void fill(float *out) {
  Row row;
  row.at = out + blockIdx.x * 128;
  row.step = 2;
  row.put(threadIdx.x, threadIdx.x);
}
