"""The site with the gallery, at /gallery."""

from django.urls import include, path

from config.urls import urlpatterns as site
from tests.gallery.views import gallery, style

urlpatterns = [
    path("gallery", gallery, name="gallery"),
    path("gallery.css", style, name="gallery-style"),
    path("", include(site)),
]
