__kernel void k(__global int *a, int n) {
  int i = get_local_id(0);
  for (int j = i; __global_invariant(__write_implies(a, __write_offset_bytes(a) / 4 % 16 == i)), j < n && j >= 0; j += 16) a[j] = j;
}
