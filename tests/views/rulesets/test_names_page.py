"""The page of names: what the game is called in each country, and the rules behind each name."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from game.models import RulesetRow
from game.pages.rulesets.game_names import list_regions
from game.pages.rulesets.names import split_region
from game.services.shipped_rulesets import read_world_tables
from tests.pseudo import collect_once

pytestmark = pytest.mark.django_db


def open_page(query: str = "") -> str:
    return Client().get("/names", {"q": query} if query else {}).content.decode()


def list_slugs(html: str) -> set[str]:
    return set(re.findall(r'href="/rules/([\w-]+)"', html))


def test_every_name_links_to_the_rules_played_under_it() -> None:
    html = open_page()
    assert set(read_world_tables()) <= list_slugs(html)
    for table in read_world_tables().values():
        for name in (*(name for _language, name in table.names), *table.also_known_as):
            assert name in html


def test_every_country_of_the_tables_can_be_translated() -> None:
    regions = {region for table in read_world_tables().values() for region in split_region(table)} - {""}
    assert regions <= {message.id for message in collect_once()}


def test_a_country_finds_its_names() -> None:
    assert list_slugs(open_page("poland")) == {"kingdom-come", "tysiac"}


def test_a_name_that_two_languages_share_stands_there_once() -> None:
    rows = [rules for _region, played in list_regions(read_world_tables()) for rules in played]
    listed = [[name for _language, name in rules.names] for rules in rows]
    assert ["Зонк", "Zonk, ten rounds"] in listed
    assert all(len(names) == len(set(names)) for names in listed)


def test_a_name_finds_its_rules_without_accents_or_in_part() -> None:
    assert "tysiac" in list_slugs(open_page("tysiac"))
    assert list_slugs(open_page("zilch turn")) == {"zilch-corner"}


def test_rulesets_of_the_documents_are_found_by_name() -> None:
    assert "farkle" in list_slugs(open_page("farkle")) and "greed" in list_slugs(open_page("greed"))


def test_a_name_that_nobody_uses_finds_nothing() -> None:
    html = open_page("chess")
    assert not list_slugs(html) and "No name has all these words." in html


def test_retired_rules_are_not_offered() -> None:
    RulesetRow.objects.filter(slug="tysiac").update(retired="2026-01-01T00:00Z")
    assert "tysiac" not in list_slugs(open_page())
