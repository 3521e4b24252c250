"""The admin: rulesets to edit, games to look at. It shows no seeds, visitors or request keys."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from game.admin.accounts import AccountAdmin, AccountGroupAdmin
from game.admin.games import GameAdmin, PlayerAdmin, ShotAdmin, ThrowAdmin
from game.admin.rulesets import RulesetAdmin
from game.admin.tasks import TaskAdmin

__all__ = [
    "AccountAdmin",
    "AccountGroupAdmin",
    "GameAdmin",
    "PlayerAdmin",
    "RulesetAdmin",
    "ShotAdmin",
    "TaskAdmin",
    "ThrowAdmin",
]

admin.site.site_header = admin.site.site_title = _("10,000: administration")
admin.site.index_title = _("Rules and games")
