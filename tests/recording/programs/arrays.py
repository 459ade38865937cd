"""Arrays of PyOpenCL: arithmetic, products, sums, minima, comparisons, all by kernels that the package writes."""
import numpy
import pyopencl as cl
import pyopencl.array as array

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
for n in (1000, 4097):
    a = array.arange(queue, n, dtype=numpy.float32)
    b = array.zeros(queue, n, numpy.float32).fill(2)
    c = 3 * a + b * a - 1
    host = numpy.arange(n, dtype=numpy.float32)
    print(numpy.allclose(c.get(), 5 * host - 1), int(array.max(c).get()), int(array.sum(b).get()), float(array.dot(b, b).get()),
          int(array.sum((c > 10).astype(numpy.int32)).get()))
