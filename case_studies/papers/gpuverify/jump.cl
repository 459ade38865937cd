// A loop made of a jump.
__kernel void jump(__global int *out, int n) {
  int i = 0;
again:
  out[get_global_id(0)] = i;
  i++;
  if (i < n) goto again;
}
