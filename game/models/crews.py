"""Crews: people who play together again and again, kept under one link. Only members see the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from game.addresses import find_address
from game.models.games import Player
from game.models.unnamed import UnnamedRow
from game.models.visitors import Visitor, new_code

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Crew(UnnamedRow):
    """A list of people with the rules that they play by. Its link lets people ask to join, and shows nothing before."""

    code = models.CharField(max_length=22, unique=True, default=new_code)
    holder = models.ForeignKey(Visitor, models.CASCADE, related_name="crews", help_text="Who lets others in.")
    name = models.CharField(max_length=60, blank=True, default="")
    version = models.PositiveIntegerField(default=1, help_text="Counts the changes of the list.")
    ruleset = models.CharField(max_length=40, blank=True, default="", help_text="A name in links; 'own' for settings.")
    settings = models.JSONField(encoder=DjangoJSONEncoder, null=True, help_text="Rules of the table's own.")
    target = models.PositiveIntegerField(null=True, help_text="None for the target of the rules.")
    mode = models.CharField(max_length=6, default="auto", help_text="Dice on screen or real dice.")
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True)

    if TYPE_CHECKING:
        people: RelatedManager[CrewPerson]
        members: RelatedManager[CrewMember]

    class Meta:
        ordering = ["-touched", "-pk"]

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return find_address("game:crew", self.code)


class CrewPerson(UnnamedRow):
    """A name on the list of a crew: a player or a computer. The row stays the same when they are renamed."""

    crew = models.ForeignKey(Crew, models.CASCADE, related_name="people")
    place = models.PositiveSmallIntegerField(help_text="In the order of play, from 0.")
    name = models.CharField(max_length=160)
    level = models.CharField(max_length=10, blank=True, default="")
    colour = models.PositiveSmallIntegerField(null=True, help_text="1 to 8; none for the colour of the seat.")
    here = models.BooleanField(default=True, help_text="Ticked: plays tonight.")
    listed = models.BooleanField(default=True, help_text="Whoever was taken off the list stays in past evenings.")

    class Meta:
        ordering = ["place", "pk"]


class CrewMember(UnnamedRow):
    """A visitor who was let in to a crew, or asks to be."""

    crew = models.ForeignKey(Crew, models.CASCADE, related_name="members")
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="memberships")
    name = models.CharField(max_length=160, help_text="By which the holder knows who asks.")
    admitted = models.DateTimeField(null=True, help_text="None until the holder lets them in.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["crew", "visitor"], name="one_membership_per_visitor")]


class CrewSeat(UnnamedRow):
    """Who of a crew sat in a seat of a game, so that an evening knows them after a change of names."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="crew_seat")
    person = models.ForeignKey(CrewPerson, models.CASCADE, related_name="seats")
