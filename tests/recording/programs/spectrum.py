"""A spectrum of several lengths: text put together for each length, structures by value, parts of a buffer, an offset."""
import numpy
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
flags = cl.mem_flags
window = numpy.dtype([("begin", numpy.int32), ("step", numpy.float32)])


def text(length):
    return "\n".join([f"#define LENGTH {length}", "typedef struct { int begin; float step; } window;",
                      "__kernel void windowed(__global float *x, window w) {",
                      "    int i = get_global_id(0);",
                      "    if (i < LENGTH) x[i] *= 0.5f - 0.5f * cos((i - w.begin) * w.step);", "}",
                      "__kernel void power(__global const float *x, __global float *p) {",
                      "    int k = get_global_id(0);", "    float re = 0, im = 0;",
                      "    for (int i = 0; i < LENGTH; i++) {",
                      "        float t = 6.2831853f * ((i * k) % LENGTH) / LENGTH;",
                      "        re += x[i] * cos(t); im -= x[i] * sin(t);", "    }", "    p[k] = re * re + im * im;", "}"])


for length in (32, 48, 96):
    program = cl.Program(context, text(length)).build(["-cl-mad-enable"])
    windowed, power = program.windowed, program.power
    signal = numpy.sin(numpy.arange(length) * 0.7).astype(numpy.float32)
    whole = cl.Buffer(context, flags.READ_WRITE, 4096)
    x, p = whole[0:4 * length], whole[2048:2048 + 4 * length]
    cl.enqueue_copy(queue, x, signal)
    windowed(queue, (128,), (32,), x, numpy.array((0, 6.2831853 / length), window))
    power(queue, (length // 2,), (8,), x, p)
    power(queue, (length - length // 2,), (8,), x, p, global_offset=(length // 2,))
    result = numpy.empty(length, numpy.float32)
    cl.enqueue_copy(queue, result, p)
    expected = numpy.abs(numpy.fft.fft(signal * (0.5 - 0.5 * numpy.cos(numpy.arange(length) * 2 * numpy.pi / length)))) ** 2
    print(numpy.allclose(result, expected, rtol=1e-2, atol=1e-2))
