__kernel void add(__global const float *a, __global const float *b, __global float *c, int n) {
    int i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}

__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
    int i = get_global_id(0);
    if (i < n) c[i] = a[i] * b[i];
}

// spmd: block=16 grid=4
__kernel void sum_of_group(__global const float *x, __global float *out, __local float *s) {
    int t = get_local_id(0);
    s[t] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 16; k++) sum += s[k];
        out[get_group_id(0)] = sum;
    }
}
