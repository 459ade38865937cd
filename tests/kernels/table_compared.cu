// expect: verdict=unsupported message=compared or stored after it was moved
// The number of a moved pointer is not known.
__global__ void k(float **rows, int *o) {
  float *p = rows[0];
  p += 1;
  if (p == rows[1]) o[0] = 2;
}
