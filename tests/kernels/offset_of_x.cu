// expect: assertions=refuted race-free=proved
#include <assert.h>
#include <stddef.h>
// The subscript on the way to a field is not its offset.
struct Packet { int kind; float weight; int data[4]; };
__global__ void offsets(int *out) {
  int whole = offsetof(Packet, data[3]);
  assert(whole == 3);
  out[blockIdx.x * blockDim.x + threadIdx.x] = whole;
}
