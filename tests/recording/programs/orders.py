"""What PyOpenCL brings for sorting, scanning and random numbers."""
import numpy
import pyopencl as cl
import pyopencl.array as array
from pyopencl.bitonic_sort import BitonicSort
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.scan import GenericScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = PhiloxGenerator(context, seed=3)
x = random.uniform(queue, 512, numpy.float32)
host = x.get()
ordered, event = BitonicSort(context)(x.copy())
event.wait()
print(numpy.array_equal(ordered.get(), numpy.sort(host)))
scan = GenericScanKernel(context, numpy.int32, arguments="__global const int *x, __global int *y", input_expr="x[i]",
                         scan_expr="a+b", neutral="0", output_statement="y[i] = item;")
for n in (100, 3000):
    ones, sums = array.arange(queue, n, dtype=numpy.int32), array.empty(queue, n, numpy.int32)
    scan(ones, sums)
    print(numpy.array_equal(sums.get(), numpy.arange(n).cumsum()))
