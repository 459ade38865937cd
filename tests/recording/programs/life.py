"""The game of life on a torus: tiles in local memory with a rim, two buffers that take turns, a count at the end."""
import numpy
import pyopencl as cl

TEXT = """
#define AT(x, y) ((((y) + h) % h) * w + ((x) + w) % w)
__kernel void turn(__global const uchar *old, __global uchar *now, int w, int h, __local uchar *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1), lw = get_local_size(0), lh = get_local_size(1);
    int x0 = get_group_id(0) * lw - 1, y0 = get_group_id(1) * lh - 1, rim = lw + 2;
    for (int y = ly; y < lh + 2; y += lh)
        for (int x = lx; x < rim; x += lw) tile[y * rim + x] = old[AT(x0 + x, y0 + y)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) all += tile[(ly + y) * rim + lx + x];
    int self = tile[(ly + 1) * rim + lx + 1];
    now[(y0 + 1 + ly) * w + x0 + 1 + lx] = all == 3 || (all == 4 && self);
}
__kernel void count(__global const uchar *cells, __global int *alive, int n)
{
    int i = get_global_id(0);
    if (i < n && cells[i]) atomic_inc(alive);
}
"""
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, TEXT).build()
w, h, flags = 64, 32, cl.mem_flags
start = (numpy.random.default_rng(5).random((h, w)) < 0.3).astype(numpy.uint8)
cells = [cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=start) for _ in range(2)]
turn, count = program.turn, program.count
for generation in range(10):
    turn(queue, (w, h), (16, 8), cells[generation % 2], cells[1 - generation % 2], numpy.int32(w), numpy.int32(h),
         cl.LocalMemory(18 * 10))
alive = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numpy.zeros(1, numpy.int32))
count(queue, (w * h,), None, cells[0], alive, numpy.int32(w * h))
result = numpy.empty(1, numpy.int32)
cl.enqueue_copy(queue, result, alive)
expected = start.copy()
for _ in range(10):
    around = sum(numpy.roll(expected, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1))
    expected = ((around == 3) | ((around == 4) & (expected == 1))).astype(numpy.uint8)
print(result[0] == expected.sum())
