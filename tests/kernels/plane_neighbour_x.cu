// expect: race-free=proved bounds=refuted
// spmd: block=128 grid=(p*h*w+127)/128 y[p*h*w] x[p*h*w] require p > 0, h > 0, w > 0, p*h <= 1000000, p*h*w <= 100000000
// The row below the last one of the last plane is none.
__global__ void below(const float *x, float *y, int p, int h, int w) {
  int cell = blockIdx.x * 128 + threadIdx.x;
  if (cell >= p * h * w) return;
  int column = cell % w, row = cell / w % h, plane = cell / (w * h);
  y[cell] = row + 1 <= h ? x[(plane * h + row + 1) * w + column] : 0.0f;
}
