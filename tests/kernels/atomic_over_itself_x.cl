// expect: race-free=unknown bounds=refuted
// spmd: block=64
// Updates of ints two bytes apart: the upper half of one is the lower half of the next.
__kernel void k(__local short *s, int step) {
  s[200 + get_local_id(0)] = 0;
  atomic_add((__local int *)(s + get_local_id(0)), step);
}
