// The first store goes to the work-item's own cell, the second a group's length further, less one: the last work-item and the
// first one meet.
__kernel void ends_meet(__global int *p) {
  int t = get_local_id(0);
  p[t] = 2 * t;
  p[t + get_local_size(0) - 1] = 3 * t;
}
