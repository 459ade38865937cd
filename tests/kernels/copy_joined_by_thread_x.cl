// expect: barriers=refuted
// spmd: block=64
// A third copy joins the event of the first for some threads, and that of the second for the others.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64], z[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0);
  event_t *which = get_local_id(0) > 5 ? &second : &first;
  event_t both = async_work_group_copy(z, a + 128, 64, *which);
  wait_group_events(1, &both);
  out[get_global_id(0)] = z[63 - get_local_id(0)];
}
