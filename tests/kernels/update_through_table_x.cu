// expect: race-free=refuted
// spmd: block=32 grid=4
// A plain read of what others update.
struct Args { void *in[4]; void *most[4]; };
__global__ void k(Args args) {
  const float *in = reinterpret_cast<const float *>(args.in[blockIdx.x]);
  float *most = reinterpret_cast<float *>(args.most[blockIdx.x]);
  if (most != nullptr) { atomicMax(reinterpret_cast<int *>(most), __float_as_int(in[threadIdx.x])); most[1] = most[0]; }
}
