// expect: race-free=refuted
// spmd: block=64
// One of the shorts is the upper half of the int that is updated.
__kernel void k(__local short *s, int step) {
  s[get_local_id(0) + 1] = 7;
  atomic_add((__local int *)s, step);
}
