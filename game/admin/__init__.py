"""The admin: rulesets to edit, games to look at. It shows no seeds, visitors or request keys."""

from django.apps import apps
from django.contrib import admin
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from game.admin.accounts import AccountAdmin
from game.admin.games import GameAdmin, PlayerAdmin, ShotAdmin, ThrowAdmin
from game.admin.rulesets import RulesetAdmin

__all__ = ["AccountAdmin", "GameAdmin", "PlayerAdmin", "RulesetAdmin", "ShotAdmin", "ThrowAdmin"]

admin.site.site_header = admin.site.site_title = _("10,000: administration")
admin.site.index_title = _("Rules and games")

# What the package that stores background tasks calls itself and them: it has no translations of its own.
apps.get_app_config("django_tasks_database").verbose_name = _("Background tasks")
TASK_LABELS = (gettext_noop("Task Result"), gettext_noop("Task Results"))
