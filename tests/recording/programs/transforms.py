"""A Fourier transform and a product of matrices by Reikna (package reikna)."""
import numpy
from reikna import cluda
from reikna.fft import FFT
from reikna.linalg import MatrixMul

thread = cluda.ocl_api().Thread.create()
x = numpy.random.default_rng(1).standard_normal((4, 256)).astype(numpy.complex64)
fft = FFT(x, axes=(1,)).compile(thread)
on_device = thread.to_device(x)
result = thread.empty_like(on_device)
fft(result, on_device, 0)
print(numpy.allclose(result.get(), numpy.fft.fft(x), atol=1e-3))
a, b = (numpy.random.default_rng(seed).standard_normal((48, 48)).astype(numpy.float32) for seed in (2, 3))
product = MatrixMul(a, b).compile(thread)
c = thread.array((48, 48), numpy.float32)
product(c, thread.to_device(a), thread.to_device(b))
print(numpy.allclose(c.get(), a @ b, atol=1e-3))
