"""Scores and sums hold more than the 32 bits that three of the largest turns add up to."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0031_longer_names_in_links'),
    ]

    operations = [
        migrations.AlterField(
            model_name='player',
            name='banked',
            field=models.PositiveBigIntegerField(default=0, help_text='Points of all banks together.'),
        ),
        migrations.AlterField(
            model_name='player',
            name='score',
            field=models.BigIntegerField(default=0, verbose_name='score'),
        ),
        migrations.AlterField(
            model_name='shotrow',
            name='cost',
            field=models.PositiveBigIntegerField(default=0, verbose_name='points taken off the score'),
        ),
        migrations.AlterField(
            model_name='shotrow',
            name='score',
            field=models.BigIntegerField(default=0, verbose_name='score after it'),
        ),
    ]
