// A gather through an index array, the doubled value goes back to where it came from: well only if no index comes twice.
// spmd: block=4 grid=2 n=8 require n > 0
__global__ void gather_write_back(const int *index, float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float value = data[index[i]];
    data[index[i]] = 2.0f * value;
  }
}
