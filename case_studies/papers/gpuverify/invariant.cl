// Each work-item counts up to 100 from its own number. That i stays within 0 and 100 has to be known at the head of the loop; the
// assertion states it, as an invariant of GPUVerify does.
__kernel void invariant(__global int *out) {
  int i = get_local_id(0);
  while (i < 100) {
    __assert(i <= 100);
    i++;
  }
  __assert(i <= 100);
  out[get_global_id(0)] = i;
}
