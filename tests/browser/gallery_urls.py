"""The site's addresses with the gallery, which it has with DEBUG only."""

from django.urls import include, path

from config.urls import urlpatterns as site
from game.views.gallery import gallery

urlpatterns = [path("gallery", gallery, name="gallery"), path("", include(site))]
