"""Serve the site with the gallery: python -m tests.gallery, then http://127.0.0.1:8000/gallery."""

import os
import sys

from django.core.management import execute_from_command_line

os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.gallery.settings", "DEBUG": "on"}
execute_from_command_line([sys.argv[0], "runserver", "--noreload", *sys.argv[1:]])
