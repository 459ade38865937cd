template <class T>
__global__ void fill(T *a, T value) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
