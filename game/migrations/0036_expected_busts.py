"""Games whose turns were expected to bust too often or too rarely are added up again, by the worker."""

from typing import Any

from django.db import migrations
from django.db.models import Q
from django.db.models.fields.json import KeyTransform


def forget_sums(apps: Any, _schema_editor: Any) -> None:
    # By hand, because settings__exact would compare all settings with one word.
    games = apps.get_model("game", "Game").objects.alias(exact_target=KeyTransform("exact", "settings"))
    wrong = Q(settings__sets_grow="of_a_kind") | Q(settings__nothing_when="first_throw") | Q(exact_target="bust")
    games = games.filter(wrong)
    apps.get_model("game", "Player").objects.filter(game__in=games, turns__isnull=False).update(turns=None)


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0035_solve_again'),
    ]

    operations = [
        migrations.RunPython(forget_sums, migrations.RunPython.noop),
    ]
