"""Labels that the admin shows in the reader's language. Nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0032_wide_scores'),
    ]

    operations = [
        migrations.AlterField(
            model_name='player',
            name='seat',
            field=models.PositiveSmallIntegerField(verbose_name='seat'),
        ),
        migrations.AlterField(
            model_name='shotrow',
            name='place',
            field=models.PositiveIntegerField(verbose_name='order in the game'),
        ),
        migrations.AlterField(
            model_name='shotrow',
            name='round',
            field=models.PositiveIntegerField(verbose_name='round'),
        ),
        migrations.AlterField(
            model_name='throwrow',
            name='created',
            field=models.DateTimeField(auto_now_add=True, verbose_name='thrown at'),
        ),
        migrations.AlterField(
            model_name='throwrow',
            name='number',
            field=models.PositiveIntegerField(help_text='Which throw of the sealed dice it is; empty for real dice and for those from a file.', null=True, verbose_name='number of its dice'),
        ),
    ]
