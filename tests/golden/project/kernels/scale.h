__global__ void scale(float *a, int n);
