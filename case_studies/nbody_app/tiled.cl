// The fast version: a work-group loads places once, a tile at a time, and all of its work-items read them from local memory.

__kernel void forces(__global const float4 *place, __global float4 *pull, int n) {
    __local float4 tile[GROUP];
    int i = get_global_id(0), l = get_local_id(0);
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f), own = sum;
    if (i < n) own = place[i];
    for (int first = 0; first < n; first += GROUP) {
        if (first + l < n) tile[l] = place[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        int last = n - first < GROUP ? n - first : GROUP;
        for (int k = 0; k < last; k++) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float square = dx * dx + dy * dy + dz * dz + 0.001f;
            float by = tile[k].w / (square * sqrt(square));
            sum.x += dx * by;
            sum.y += dy * by;
            sum.z += dz * by;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) pull[i] = sum;
}

__kernel void drift(__global float4 *place, __global float4 *speed, __global const float4 *pull, float dt, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    speed[i].x += dt * pull[i].x;
    speed[i].y += dt * pull[i].y;
    speed[i].z += dt * pull[i].z;
    place[i].x += dt * speed[i].x;
    place[i].y += dt * speed[i].y;
    place[i].z += dt * speed[i].z;
}

__kernel void energy(__global const float4 *speed, __global float *energies, int n, __local float *part) {
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = 0.0f;
    if (i < n) {
        float4 v = speed[i];
        part[l] = 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (l < reach) part[l] += part[l + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) energies[get_group_id(0)] = part[0];
}
