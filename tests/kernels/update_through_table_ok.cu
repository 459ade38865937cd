// expect: race-free=proved
// spmd: block=32 grid=4
// A pointer to void out of memory is followed as what it is cast to, by an update too.
struct Args { void *in[4]; void *most[4]; };
__global__ void k(Args args) {
  const float *in = reinterpret_cast<const float *>(args.in[blockIdx.x]);
  float *most = reinterpret_cast<float *>(args.most[blockIdx.x]);
  if (most != nullptr) atomicMax(reinterpret_cast<int *>(most), __float_as_int(in[threadIdx.x]));
}
