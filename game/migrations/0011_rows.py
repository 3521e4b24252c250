"""Rows are called otherwise than the values of `game.rules` that they keep. The tables of the database stay as they are."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ROWS = {
    "Ruleset": "RulesetRow",
    "Shot": "ShotRow",
    "Throw": "ThrowRow",
    "Change": "ChangeRow",
    "Table": "SolvedTable",
}


def rename_permissions(apps: Apps, editor: BaseDatabaseSchemaEditor, names: dict[str, str]) -> None:
    """Let staff keep what they may do: Django names a permission after its model, and would make new ones."""
    permissions = apps.get_model("auth", "Permission").objects.using(editor.connection.alias)
    for old, new in names.items():
        for verb in ("add", "change", "delete", "view"):
            named = permissions.filter(content_type__app_label="game", codename=f"{verb}_{old.lower()}")
            named.update(codename=f"{verb}_{new.lower()}")


def rename(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    rename_permissions(apps, editor, ROWS)


def rename_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    rename_permissions(apps, editor, {new: old for old, new in ROWS.items()})


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0010_host_seen"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    # With the name of its table given first, the renaming of a model touches no table.
    operations = [
        *(migrations.AlterModelTable(name=old, table=f"game_{old.lower()}") for old in ROWS),
        *(migrations.RenameModel(old_name=old, new_name=new) for old, new in ROWS.items()),
        migrations.RunPython(rename, rename_back),
    ]
