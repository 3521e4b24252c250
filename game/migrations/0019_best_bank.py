"""The points of each seat's best bank are kept with the other sums."""

from typing import Any

from django.db import migrations, models
from django.db.models import Max, OuterRef, Subquery
from django.db.models.functions import Coalesce


def find_best_banks(apps: Any, schema_editor: Any) -> None:
    players = apps.get_model("game", "Player").objects
    shots = apps.get_model("game", "ShotRow").objects.order_by()
    banks = shots.filter(player=OuterRef("pk"), outcome="bank", cancelled=False)
    best = Subquery(banks.values("player").annotate(best=Max("points")).values("best"))
    players.filter(turns__isnull=False, banks__gt=0).update(best_bank=Coalesce(best, 0))


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0018_single_seats'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='best_bank',
            field=models.PositiveIntegerField(default=0, help_text='Points of the best of them.'),
        ),
        migrations.RunPython(find_best_banks, migrations.RunPython.noop),
    ]
