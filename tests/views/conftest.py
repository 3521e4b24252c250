from tests.cast import device, other_device  # noqa: F401
