"""The site as a Django app: what it loads when it starts, and what it does around a migration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class GameConfig(AppConfig):
    name = "game"
    verbose_name = _("10,000")

    def ready(self) -> None:
        from django.conf import settings

        from game.catalogues import compile_catalogues
        from game.services.win_tables import TABLE_CACHE
        from game.strategy.win import TABLE_SOURCES, map_tables_in

        compile_catalogues()
        pre_migrate.connect(lift_timeout, sender=self)
        post_migrate.connect(offer_shipped_rulesets, sender=self)
        TABLE_SOURCES.append(TABLE_CACHE)
        map_tables_in(settings.TABLES_DIR)


def lift_timeout(using: str, **_signal: Any) -> None:
    """Lift PostgreSQL's statement timeout before every migrate: it is meant for pages, and migrations may take long."""
    from django.db import connections

    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")


def offer_shipped_rulesets(using: str, **_signal: Any) -> None:
    """Load the rulesets that come with the app, after every migrate and after tests that empty the tables.

    A site without rulesets could play nothing.
    """
    from django.db import connections

    from game.models import RulesetRow
    from game.services import load_shipped_rulesets

    table, introspection = RulesetRow._meta.db_table, connections[using].introspection
    with connections[using].cursor() as cursor:
        there = table in introspection.table_names(cursor)
        columns = {column.name for column in introspection.get_table_description(cursor, table)} if there else set()
    if columns.issuperset(field.column for field in RulesetRow._meta.local_fields):  # not after migrating backwards
        load_shipped_rulesets()
