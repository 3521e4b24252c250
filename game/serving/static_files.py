"""The static files of the site, and which of the packages' are left out."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page asks for, because compressing it would take most of the first start."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "django_htmx",  # we bring our own htmx
        "jquery.js",  # the admin uses the short forms of these
        "select2.full.js",
        "xregexp.js",
    ]
