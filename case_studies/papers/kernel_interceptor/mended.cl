// Mended: a barrier before neighbours are read, zero behind the last cell.
__kernel void scale(__global float *frame, float gain, int cells) {
    int i = get_global_id(0);
    if (i < cells) frame[i] *= gain;
}

__kernel void smooth(__global const float *in, __global float *out, int cells) {
    __local float row[GROUP + 2];
    int i = get_global_id(0), l = get_local_id(0);
    row[l + 1] = i < cells ? in[i] : 0.0f;
    if (l == 0) row[0] = i > 0 ? in[i - 1] : 0.0f;
    if (l == GROUP - 1) row[GROUP + 1] = i + 1 < cells ? in[i + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < cells) out[i] = (row[l] + row[l + 1] + row[l + 2]) / 3.0f;
}

__kernel void turn(__global const float *in, __global float *out, int width, int height) {
    __local float tile[TILE][TILE + 1];
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    if (x < height && y < width) out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

__kernel void total(__global const float *in, __global float *sums, int cells) {
    __local float part[GROUP];
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = i < cells ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (l < reach) part[l] += part[l + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = part[0];
}
