// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The same with C++'s name for the struct.
struct point { int x, y; };
__global__ void move(point *p) {
  p[threadIdx.x].x = 1;
}
