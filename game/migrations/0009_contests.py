"""Which games were played against others is kept with their seats, as the other sums are."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef


def look_for_others(apps: Any, schema_editor: Any) -> None:
    players = apps.get_model("game", "Player").objects
    others = players.filter(game=OuterRef("game")).exclude(visitor=OuterRef("visitor"), level="")
    players.filter(level="", turns__isnull=False).update(contest=Exists(others))


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0008_requests_of_deleted_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='contest',
            field=models.BooleanField(default=False, help_text='At the end, whether not all were people at one device.'),
        ),
        migrations.RunPython(look_for_others, migrations.RunPython.noop),
    ]
