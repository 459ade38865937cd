// expect: race-free=refuted
// Dynamic shared memory that a template's method hands out, read without a barrier.
template <class T> struct Pool {
  __device__ T *get() { extern __shared__ char raw[]; return reinterpret_cast<T *>(raw); }
};
template <class T> __global__ void turn(T *out) {
  T *s = Pool<T>().get();
  s[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
template __global__ void turn<float>(float *);
