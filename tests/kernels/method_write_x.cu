// expect: race-free=refuted
// spmd: block=64
// A method writes through a field of the object: to a cell that the neighbour writes too.
struct Row {
  float *at;
  int step;
  __device__ void put(int i, float v) { at[i * step] = v; at[i * step + 1] = v + 2; }
};
__global__ void fill(float *out) {
  Row row;
  row.at = out + blockIdx.x * 65;
  row.step = 1;
  row.put(threadIdx.x, threadIdx.x);
}
