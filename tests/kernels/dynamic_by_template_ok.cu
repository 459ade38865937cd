// expect: race-free=proved barriers=proved order-free=proved
// Dynamic shared memory that a template's method hands out, read behind a barrier.
template <class T> struct Pool {
  __device__ T *get() { extern __shared__ char raw[]; return reinterpret_cast<T *>(raw); }
};
template <class T> __global__ void turn(T *out) {
  T *s = Pool<T>().get();
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
template __global__ void turn<float>(float *);
