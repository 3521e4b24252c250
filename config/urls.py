"""The admin, and the addresses of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [path(settings.ADMIN_PATH, admin.site.urls), path("", include("game.urls"))]

handler500 = "game.serving.middleware.answer_error"
