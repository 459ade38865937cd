// spmd: block=256 grid=(rows*groups*128+255)/256 rows=5 groups=3 require rows >= 1, rows <= 16384, groups >= 1, groups <= 512
// Bytes with a scale and a minimum for each 128 columns of a row; one thread an element.
__global__ void dequantise(const unsigned char *q, const float *scale, const float *least, float *out, int rows, int groups) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int cols = groups * 128;
  if (i >= rows * cols) return;
  int row = i / cols, group = i % cols / 128;
  out[i] = scale[row * groups + group] * (float)q[i] + least[row * groups + group];
}
