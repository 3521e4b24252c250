from django.db import migrations

NAMES = {
    "moved": "dice_version",
    "arranged": "table_version",
    "turned": "turn_version",
    "dealt": "dice_changed_at",
}


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0011_rows"),
    ]

    operations = [migrations.RenameField("game", old, new) for old, new in NAMES.items()]
