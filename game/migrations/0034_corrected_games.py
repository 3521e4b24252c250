"""Games in which only entries for real dice were undone count for statistics; the worker adds them up."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef


def count_corrected_games(apps: Any, _schema_editor: Any) -> None:
    games = apps.get_model("game", "Game").objects
    thrown_here = apps.get_model("game", "ShotRow").objects.filter(game=OuterRef("pk"), cancelled=True, manual=False)
    games.filter(undone=True).exclude(Exists(thrown_here)).update(undone=False)


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0033_translated_labels'),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='undone',
            field=models.BooleanField(default=False, verbose_name='with undone throws'),
        ),
        migrations.RunPython(count_corrected_games, migrations.RunPython.noop),
    ]
