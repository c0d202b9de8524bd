"""Values that tests/unit/language/test_tables.c compares with: cubic and bicubic interpolation by SciPy."""
import numpy as np
from scipy.interpolate import CubicSpline, RectBivariateSpline

x = np.array([0, 0.4, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8])
y = np.array([0.013, 0.013, 0.013, 0.014, 0.031, 0.041, 0.039, 0.036, 0.035])
one = CubicSpline(x, y, bc_type="not-a-knot")
for s in (0.05, 0.62, 0.97, 1.3, 1.75):
    print("{ %r, { %s } }," % (s, ", ".join("%.15g" % one(s, k) for k in range(3))))

a = np.array([0, 0.5, 1.2, 2, 2.5])
b = np.array([-1, 0, 0.3, 1, 2, 2.2])
z = np.cos(np.outer(a, b)) + np.add.outer(a**2, b)
z = np.round(z, 3)
print(z.tolist())
two = RectBivariateSpline(a, b, z, kx=3, ky=3, s=0)
for p, q in ((0.1, -0.9), (0.7, 0.2), (1.9, 1.5), (2.4, 2.1), (1.2, 0.3)):
    print("{ %r, %r, { %s } }," % (p, q, ", ".join("%.15g" % two(p, q, dx=i, dy=j)[0, 0]
                                                  for i, j in ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)))))
