"""The admin, the addresses of the site, and files of a newer release."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.static import serve

urlpatterns: list[URLPattern | URLResolver] = [
    path(settings.ADMIN_PATH, admin.site.urls),
    path("", include("game.urls")),
    # Files collected since this process started: while processes are restarted one after the other, pages of the new
    # release ask the old processes, too. The others are served by WhiteNoise.
    path("static/<path:path>", serve, {"document_root": settings.STATIC_ROOT}, "static-file"),
]

handler500 = "game.serving.middleware.answer_error"
