"""The people who open pages in these tests: players at their devices, and staff."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.cast import device, other_device

__all__ = ["device", "other_device"]


def log_in_staff(*permissions: str) -> Client:
    user = User.objects.create_user("editor", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions, content_type__app_label="game"))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def editor() -> Client:
    """Return the client of a staff member who has the models' permissions but is no superuser."""
    models = ("rulesetrow", "game", "player", "shotrow", "throwrow")
    return log_in_staff("add_rulesetrow", "change_rulesetrow", *(f"view_{model}" for model in models))
