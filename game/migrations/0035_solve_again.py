"""Solved chances to win are deleted, because those of some rules were wrong; the next game asks for them again."""

from typing import Any

from django.db import migrations


def delete_solved_tables(apps: Any, _schema_editor: Any) -> None:
    apps.get_model("game", "SolvedTable").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0034_corrected_games'),
    ]

    operations = [
        migrations.RunPython(delete_solved_tables, migrations.RunPython.noop),
    ]
