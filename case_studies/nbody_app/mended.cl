// The energy mended: a work-item beyond the last particle adds nothing.

__kernel void forces(__global const float4 *place, __global float4 *pull, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < n; k++) {
        float dx = place[k].x - place[i].x, dy = place[k].y - place[i].y, dz = place[k].z - place[i].z;
        float square = dx * dx + dy * dy + dz * dz + 0.001f;
        float by = place[k].w / (square * sqrt(square));
        sum.x += dx * by;
        sum.y += dy * by;
        sum.z += dz * by;
    }
    pull[i] = sum;
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
