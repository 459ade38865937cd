// A loop that tests at its end.
__kernel void do_while(__global int *out, int n) {
  int i = get_local_id(0);
  int sum = 0;
  do {
    out[get_global_id(0) * 8 + (i & 7)] = sum;
    sum += i;
    i++;
  } while (i < n);
}
