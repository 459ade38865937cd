// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A struct written through its field.
struct point { int x, y; };
__global__ void move(struct point *p) {
  p[threadIdx.x].x = 1;
}
