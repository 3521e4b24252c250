"""The site as an ASGI application, for `manage.py play` and `serve` and for any ASGI server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_wsgi_application()

from game.serving.front import build_site  # noqa: E402 - Django has to be set up first

application = build_site(pages)
