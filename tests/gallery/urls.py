"""The site with the gallery, at /gallery."""

from django.urls import include, path

from config.urls import urlpatterns as site
from tests.gallery import gallery

urlpatterns = [path("gallery", gallery, name="gallery"), path("", include(site))]
