// expect: order-free=proved race-free=proved bounds=proved
// Each round fills its own array before it reads it at a subscript that depends on data.
__global__ void rounds(int *a, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    int table[4];
    for (int j = 0; j < 4; j++) table[j] = j * k;
    sum += table[in[i] & 3];
  }
  a[i] = sum;
}
