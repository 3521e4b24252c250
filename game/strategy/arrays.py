"""NumPy, loaded when it is first used, and the arrays of values that are made with it.

A site where people only play with one another never needs it, and it takes a tenth of a serving process's memory.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["ArrayLike", "Flags", "Floats", "Hashes", "Indices", "NDArray", "Precision", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.intp]
    Flags = NDArray[np.bool_]
    Hashes = NDArray[np.uint64]
    Precision = type[float] | type[np.float32]
else:

    class _NumpyWhenUsed:
        """Stands for NumPy: it is imported when a name of it is first used, and each name is looked up once."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module("numpy"), name)
            setattr(self, name, value)
            return value

    np = _NumpyWhenUsed()
    ArrayLike = NDArray = Floats = Indices = Flags = Hashes = Precision = Any
