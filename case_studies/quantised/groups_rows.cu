// spmd: block=128 grid=rows rows=5 groups=3 require rows >= 1, rows <= 16384, groups >= 1, groups <= 512
// One block a row, a group a round: each thread keeps its column of the group.
__global__ void dequantise(const unsigned char *__restrict__ q, const float *__restrict__ scale, const float *__restrict__ least,
                           float *__restrict__ out, int rows, int groups) {
  int first = blockIdx.x * groups;
  for (int g = 0; g < groups; g++) {
    float s = scale[first + g], m = least[first + g];
    int at = (first + g) * 128 + threadIdx.x;
    out[at] = s * (float)q[at] + m;
  }
}
