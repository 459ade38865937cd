// expect: assertions=proved race-free=proved
#include <assert.h>
#include <stddef.h>
// `offsetof` as a whole value and as an item of a list, where it is no name of a field that the list fills.
struct Packet { int kind; float weight; int data[4]; };
struct Two { int a, b; };
struct Around { char tag; Packet packet; };
template <class T> __device__ int weight_at() { return offsetof(T, weight); }
__global__ void offsets(int *out) {
  Two list = {offsetof(Packet, weight), 2};
  Two element = {(int)offsetof(Packet, data[2]), 3};
  Two named = {.a = 5, .b = offsetof(Around, packet.data)};
  int whole = offsetof(Packet, data[3]);
  assert(list.a == 4 && list.b == 2);
  assert(element.a == 16 && element.b == 3);
  assert(named.a == 5 && named.b == 12);
  assert(whole == 20 && weight_at<Packet>() == 4);
  out[blockIdx.x * blockDim.x + threadIdx.x] = list.a + whole;
}
