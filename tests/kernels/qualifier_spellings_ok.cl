// expect: race-free=proved
// Other spellings of const and volatile, as compilers have them.
__const sampler_t how = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void read(__global float *x, __const int n, read_only image2d_t picture, __global __volatile__ int *seen) {
    int i = get_global_id(0);
    if (i < n) x[i] = read_imagef(picture, how, (int2)(i, 0)).x;
    if (i < n) seen[i] = 1;
}
