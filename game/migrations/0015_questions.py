import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0014_ends_and_costs"),
    ]

    operations = [
        migrations.RenameField(model_name="game", old_name="asks_undo", new_name="asking"),
        migrations.AlterField(
            model_name="game",
            name="asking",
            field=models.ForeignKey(
                help_text="The player who asks the others to agree to something; none once the next dice fall.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="game.player",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="question",
            field=models.CharField(
                default="undo",
                help_text="What is asked for: undo, or auto or manual for the mode.",
                max_length=6,
            ),
        ),
    ]
