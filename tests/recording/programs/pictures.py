"""Image processing in C++ by clEsperanto (package pyclesperanto): blur, threshold, labels."""
import numpy
import pyclesperanto as cle

picture = numpy.zeros((40, 60), numpy.float32)
picture[5:15, 5:15] = picture[20:35, 30:50] = 1
device = cle.push(picture)
blurred = cle.gaussian_blur(device, sigma_x=1, sigma_y=1)
mask = cle.greater_constant(blurred, scalar=0.5)
print(int(cle.sum_of_all_pixels(mask)), int(cle.maximum_of_all_pixels(cle.connected_component_labeling(mask))))
