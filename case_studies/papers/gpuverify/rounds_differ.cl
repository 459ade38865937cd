// Each work-item makes another number of rounds, with a barrier in each.
__kernel void rounds_differ(__global int *p) {
  int t = get_global_id(0);
  for (int i = 0; i < t; i++) {
    p[t] += i;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
