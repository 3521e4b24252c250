"""The settings of the site, with the application of `stamps.py` added."""

from config.settings import *  # noqa: F403

INSTALLED_APPS += ["tests.benchmarks.stamps.Stamps"]  # noqa: F405
