// Functions of vectors as wholes: of two to four components, and of one number. Sums of products do not cancel: how they are
// rounded is open.
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 2000
__kernel void geometry(__global float *out, __global const float4 *in, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 a = in[i], b = (float4)(1.0f, 2.0f, -2.0f, 0.5f);
  float4 c = cross(a, b), d = normalize(a);
  float3 e = cross(a.xyz, b.xyz);
  float2 f = fast_normalize(b.xy);
  float all[16] = {dot(a, a), dot(a.xy, a.xy), dot(a.x, b.x), length(a), length(b.xyz), fast_length(b.xy),
                   distance(a, b), fast_distance(b.xy, b.zw), c.x, c.w, d.y, e.z, f.x, normalize(a.w),
                   normalize(a.xy).x, normalize(a.xyz).z};
  out[i] = length(a.xy - b.xy) < 0.004f ? 0.0f : all[i % 16];
}
