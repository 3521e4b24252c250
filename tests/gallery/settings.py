"""The site's settings, with the gallery among its addresses."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.gallery.urls"
