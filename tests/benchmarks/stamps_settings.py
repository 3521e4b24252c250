"""The site's settings, and the stamps of `stamps.py`."""

from config.settings import *  # noqa: F403

INSTALLED_APPS += ["tests.benchmarks.stamps.Stamps"]  # noqa: F405
