"""Crews, people who play together regularly: create, change, join and leave them, and begin their games."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from django.db import transaction
from django.db.models import Exists, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy

from game.history import EARLIER_SEATS
from game.history.last_table import find_last_table
from game.identity import Browser, derive_token
from game.lock import write_lock
from game.models import Crew, CrewMember, CrewPerson, Game, Invite, Request, RulesetRow, Visitor
from game.models.compiled import CompiledQuery
from game.rules import Entry, Ruleset
from game.rules.names import same_name
from game.rules.play.moves import Mode, read_mode
from game.services.crew_seats import seat_people
from game.services.games import create_game
from game.services.lobby import INVITE_LASTS
from game.services.refusals import Refusal
from game.services.transaction import Command
from game.storage import load_state

CREWS_MOST = 20  # per holder
PEOPLE_MOST = 24
MEMBERS_MOST = 24  # including those still asking
OWN_RULES = "own"  # stands in forms and in crews for rules that were made at a table


class NoSuchCrew(Refusal):
    """There is no such crew, or this visitor may not see it and must not learn that it exists."""

    status = 404
    sentence = gettext_lazy("There is no crew here. Check the link.")


class NotTheHolder(Refusal):
    """Only the holder of the crew may do this."""

    status = 403
    sentence = gettext_lazy("Only the holder of this crew can do that.")


class CrewChanged(Refusal):
    """The list was changed since the form was made."""

    sentence = gettext_lazy("Somebody changed this crew. Here it is as it stands now.")


class TooManyCrews(Refusal):
    """The visitor already holds as many crews as allowed."""

    sentence = gettext_lazy("You hold 20 crews already. Delete one first.")


class CrewFull(Refusal):
    """As many people as allowed are members or are asking to be."""

    sentence = gettext_lazy("This crew is full: nobody else can join.")


@dataclass(frozen=True)
class ListedPerson:
    """A line of a crew's list. `here`: ticked for the next game. `person`: the key of their row, None for a new one."""

    name: str
    level: str = ""
    colour: int | None = None
    here: bool = True
    person: int | None = None


@dataclass(frozen=True)
class CrewSettings:
    """What a crew plays: `ruleset` by its name in links, or its `own` rules."""

    ruleset: str = ""
    own: Ruleset | None = None
    target: int | None = None
    mode: Mode = "auto"

    @classmethod
    def of(cls, chosen: RulesetRow | Ruleset, target: int | None, mode: Mode) -> Self:
        """Return the settings for a ruleset of this site, or for rules that were made at a table."""
        slug, own = (chosen.slug, None) if isinstance(chosen, RulesetRow) else (OWN_RULES, chosen)
        return cls(slug, own, target, mode)

    def fields(self) -> dict[str, object]:
        """Return the columns of a crew's row."""
        settings = self.own.to_json() if self.own else None
        return {"ruleset": self.ruleset, "settings": settings, "target": self.target, "mode": self.mode}


def find_crews(visitor: Visitor) -> list[Crew]:
    """Return the crews that a visitor holds or was let in to, last used first. One query."""
    return CREWS(visitor.pk, visitor.pk)


def query_crews(holder: int, member: int) -> QuerySet[Crew]:
    """Return the crews that `holder` holds or `member` was let in to.

    Both are the same visitor, given twice because each value of a compiled query may occur only once in its SQL.
    """
    held = Crew.objects.filter(holder=holder).order_by().values("pk")
    let_in = CrewMember.objects.filter(visitor=member).exclude(admitted=None).order_by().values("crew")
    return Crew.objects.filter(pk__in=held.union(let_in))


CREWS = CompiledQuery(query_crews, -1, -2)


def find_first_and_crew(game: Game, visitor: int) -> tuple[bool, str | None]:
    """Return whether a game is the first in which this visitor holds a seat, and the code of the crew that played it.

    None if no crew did, or none that the visitor holds or was let in to. One query.
    """
    earlier = EARLIER_SEATS.query(visitor, game.pk)
    crews = query_crews(visitor, visitor).filter(people__seats__player__game=game).values("code")
    first, code = Visitor.objects.values_list(~Exists(earlier), Subquery(crews[:1])).get(pk=visitor)
    return first, code


def find_crew(code: str, visitor: Visitor | None) -> Crew:
    """Return a crew for its holder or somebody who was let in. Raises `NoSuchCrew`."""
    crew = Crew.objects.filter(code=code).first()
    if crew is None or not is_let_in(crew, visitor):
        raise NoSuchCrew
    return crew


def is_let_in(crew: Crew, visitor: Visitor | None) -> bool:
    """Return whether a visitor may see the crew: the holder and anybody they let in. At most one query."""
    if visitor is None:
        return False
    return crew.holder_id == visitor.pk or crew.members.filter(visitor=visitor).exclude(admitted=None).exists()


def create_crew(browser: Browser, key: str, people: Sequence[ListedPerson], settings: CrewSettings) -> Crew:
    """Return a new crew of this browser; the same form again gives the one it made before. Raises `TooManyCrews`."""
    code = derive_token("game.crew", browser.token_hash, key, *people, settings, size=16)
    with write_lock(), transaction.atomic():
        visitor = Visitor.objects.select_for_update().get(pk=browser.visitor_or_new().pk)  # presses wait for each other
        before = Crew.objects.filter(code=code).first()
        if before:
            return before
        if visitor.crews.count() >= CREWS_MOST:
            raise TooManyCrews
        crew = Crew.objects.create(code=code, holder=visitor, **settings.fields())
        write_list(crew, people)
        return crew


def create_crew_of_last(browser: Browser, key: str) -> Crew:
    """Return a new crew of those who played last at this browser, by the same rules. Raises `TooManyCrews`."""
    table = find_last_table(browser.visitor(), "phone") or find_last_table(browser.visitor())
    if table is None:
        return create_crew(browser, key, (), CrewSettings())
    game, rules = table.game, table.game.rules
    target = game.target if game.target != rules.target else None
    people = [ListedPerson(seat.name, seat.own_level) for seat in table.seats]
    return create_crew(browser, key, people, CrewSettings.of(game.ruleset or rules, target, load_state(game).mode))


@contextlib.contextmanager
def locked_crew(code: str, visitor: Visitor | None) -> Iterator[Crew]:
    """Yield a crew, locked against other changes, for anybody who was let in. Raises `NoSuchCrew`."""
    with write_lock(), transaction.atomic():
        if not Crew.objects.filter(code=code).update(touched=timezone.now()):  # this is the lock, on both databases
            raise NoSuchCrew
        yield find_crew(code, visitor)


def save_crew(code: str, command: Command, people: Sequence[ListedPerson], settings: CrewSettings, name: str) -> Crew:
    """Save the list of people in this order, what is played, and the crew's name; the same form again changes nothing.

    Raises `NoSuchCrew`, and `CrewChanged` if somebody else saved first.
    """
    with locked_crew(code, command.visitor) as crew:
        form = {"game": None, "visitor": command.known_visitor, "key": command.key, "digest": command.digest}
        if Request.objects.filter(**form).exists():
            return crew
        if command.version != crew.version:
            raise CrewChanged
        Request.objects.create(**form)
        for field, value in {"name": name, "version": crew.version + 1, **settings.fields()}.items():
            setattr(crew, field, value)
        crew.save()
        write_list(crew, people)
        return crew


def write_list(crew: Crew, people: Sequence[ListedPerson]) -> None:
    """Save who is on the list. People dropped from it are kept, unlisted, if there are games with them."""
    before = {row.pk: row for row in crew.people.filter(listed=True)}
    kept = {line.person for line in people}
    gone = [pk for pk in before if pk not in kept]
    crew.people.filter(pk__in=gone, seats=None).delete()
    crew.people.filter(pk__in=gone).update(listed=False)
    rows = []
    for place, line in enumerate(people[:PEOPLE_MOST]):
        row = before.get(line.person or 0) or CrewPerson(crew=crew)
        row.place, row.name, row.level, row.colour, row.here = place, line.name, line.level, line.colour, line.here
        rows.append(row)
    CrewPerson.objects.bulk_update([row for row in rows if row.pk], ["place", "name", "level", "colour", "here"])
    CrewPerson.objects.bulk_create([row for row in rows if not row.pk])


def list_people(crew: Crew) -> list[CrewPerson]:
    """Return who is on the list, in the order of play."""
    return list(crew.people.filter(listed=True))


def begin_crew_game(
    browser: Browser, crew: Crew, key: str, ruleset: RulesetRow | Ruleset, *, invite_as: str | None = None
) -> Game:
    """Return a new game with the ticked people, in the order of the list. The same key again gives the same game.

    `invite_as`: let the game wait for the others, with a seat kept for everybody but the person of this name (the first
    person if there is no such name). Raises `IllegalMove` and `Refusal` as `create_game` does.
    """
    people = [row for row in list_people(crew) if row.here]
    entries = [Entry(row.name, row.level or None) for row in people]
    colours = {row.name: row.colour for row in people}

    def settle(game: Game) -> None:
        seat_people(game, [row.pk for row in people])
        if invite_as is not None:
            free_others(game, invite_as)

    return create_game(
        browser,
        key,
        ruleset,
        entries,
        target=crew.target,
        mode=read_mode(crew.mode),
        colours=colours,
        wait=invite_as is not None,
        settle=settle,
    )


def free_others(game: Game, name: str) -> None:
    """Free the seats of a waiting game for the people they are named after, except this name's, or the first."""
    people = game.players.filter(level="")
    own = people.filter(name=name).first() or people.order_by("seat").first()
    if own:
        people.exclude(pk=own.pk).update(visitor=None, seen=None)


def find_waiting_invite(crew: Crew) -> Invite | None:
    """Return the invite to a crew's newest game that is still waiting for players. One query."""
    now = timezone.now()
    made = {"created__gt": now - INVITE_LASTS, "game__created__gt": now - Game.WAITING_LASTS}
    waiting = Invite.objects.filter(game__status=Game.Status.WAITING, **made)
    return waiting.filter(game__players__crew_seat__person__crew=crew).order_by("-pk").first()


def find_game_begun(visitor: Visitor | None, key: str) -> Game | None:
    """Return the game that this visitor's form has already begun, if any."""
    return Game.objects.filter(key=key, host=visitor).first() if visitor else None


def ask_to_join(browser: Browser, code: str, name: str) -> None:
    """Ask the holder to be let in, under a name. Raises `NoSuchCrew` and `CrewFull`."""
    with write_lock(), transaction.atomic():
        crew = Crew.objects.select_for_update().filter(code=code).first()
        if crew is None:
            raise NoSuchCrew
        visitor = browser.visitor_or_new()
        if crew.holder_id != visitor.pk and not crew.members.filter(visitor=visitor).exists():
            if crew.members.count() >= MEMBERS_MOST:
                raise CrewFull
            crew.members.create(visitor=visitor, name=name)


def admit_member(visitor: Visitor | None, code: str, member: int) -> None:
    """Let in somebody who asked, and put them on the list unless their name or too many are on it.

    Raises `NoSuchCrew` and `NotTheHolder`.
    """
    with locked_crew(code, visitor) as crew:
        require_holder(crew, visitor)
        asks, people = crew.members.filter(pk=member, admitted=None).first(), list_people(crew)
        if asks is None:
            return
        crew.members.filter(pk=member).update(admitted=timezone.now())
        if len(people) < PEOPLE_MOST and not any(same_name(asks.name, person.name) for person in people):
            crew.people.create(name=asks.name, place=len(people))
            Crew.objects.filter(pk=crew.pk).update(version=crew.version + 1)  # a list made before lacks them


def remove_member(visitor: Visitor | None, code: str, member: int) -> None:
    """Refuse somebody who asks, or remove a member. Raises `NoSuchCrew` and `NotTheHolder`."""
    with locked_crew(code, visitor) as crew:
        require_holder(crew, visitor)
        crew.members.filter(pk=member).delete()


def leave_crew(visitor: Visitor | None, code: str) -> None:
    """Leave a crew, or stop asking to join. The holder deletes it instead."""
    with write_lock():
        CrewMember.objects.filter(crew__code=code, visitor=visitor).delete()


def delete_crew(visitor: Visitor | None, code: str) -> None:
    """Delete a crew; its games stay with those who played them. Raises `NoSuchCrew` and `NotTheHolder`."""
    with locked_crew(code, visitor) as crew:
        require_holder(crew, visitor)
        crew.delete()


def require_holder(crew: Crew, visitor: Visitor | None) -> None:
    """Raise `NotTheHolder` for anybody but the holder."""
    if visitor is None or crew.holder_id != visitor.pk:
        raise NotTheHolder


def adopt_crews(account: Visitor, visitor: Visitor) -> None:
    """Give the crews of a browser to its account. Call it within a transaction.

    If both are members of a crew, the membership that was let in stays; a holder needs none.
    """
    Crew.objects.filter(holder=visitor).update(holder=account)
    theirs, own = (CrewMember.objects.filter(visitor=member) for member in (visitor, account))
    (theirs | own).filter(crew__holder=account).delete()
    own.filter(admitted=None, crew__in=theirs.exclude(admitted=None).values("crew")).delete()
    theirs.filter(crew__in=own.values("crew")).delete()
    theirs.update(visitor=account)
