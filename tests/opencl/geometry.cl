// Functions of vectors as wholes: of two to four components, and of one number.
__kernel void geometry(__global float *out, __global const float4 *in, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 a = in[i], b = (float4)(1.0f, 2.0f, -2.0f, 0.5f);
  float4 c = cross(a, b), d = normalize(a + b);
  float3 e = cross(a.xyz, b.xyz);
  float2 f = fast_normalize(a.xy);
  float sum = dot(a, b) + dot(a.xy, b.xy) + dot(a.x, b.x) + length(a) + length(b.xyz) + fast_length(a.xy);
  sum += distance(a, b) + fast_distance(a.xy, b.xy) + c.x + c.w + d.y + e.z + f.x + normalize(a.w);
  out[i] = length(a.xy - b.xy) < 0.004f ? 0.0f : sum;
}
