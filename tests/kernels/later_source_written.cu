// expect: verdict=unknown message=an asynchronous copy from 'data', which the kernel writes
// spmd: block=64
// What is copied may be changed while it is.
__global__ void back(float *data) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  __pipeline_memcpy_async(&s[threadIdx.x], &data[i], 4);
  __pipeline_commit();
  data[i] = 0;
  __pipeline_wait_prior(0);
  data[i] = s[threadIdx.x];
}
