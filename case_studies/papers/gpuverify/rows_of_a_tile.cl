// Each work-item of a two-dimensional group stores its cell of a tile, then adds to the cell of the row below: another
// work-item's, with no barrier between the two.
__kernel void rows_of_a_tile(__global const int *in, __global int *out) {
  __local int tile[65][64];
  int x = get_local_id(0), y = get_local_id(1);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  tile[y][x] = in[at];
  tile[y + 1][x] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = tile[y][x];
}
