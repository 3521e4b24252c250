"""Serve the site with the gallery: python -m tests.gallery, then http://127.0.0.1:8000/gallery.

Its games are in a database of their own, which ends with it.
"""

import os
import sys
from tempfile import TemporaryDirectory

from django.core.management import execute_from_command_line

with TemporaryDirectory() as folder:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.gallery.settings", "DEBUG": "on", "DATA_DIR": folder}
    os.environ.pop("DATABASE_URL", None)
    execute_from_command_line([sys.argv[0], "migrate", "--verbosity", "0"])
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", *sys.argv[1:]])
