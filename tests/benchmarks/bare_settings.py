"""The settings of the site, with the two addresses of `bare.py` beside its own."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.bare"
