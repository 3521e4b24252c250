"""A game before its first throw: who sits where, by invite or on the host's device, their words, and the start.

An invite also seats people in the first two rounds, so that the start does not shut out somebody a minute late.

Seats are identified by their players' rows, because people come and go and the order changes while somebody types.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import ngettext

from game.identity import Browser
from game.models import Game, Invite, Player, RulesetRow, Visitor
from game.rules import DEFAULT_LEVEL, Entry, Join, PlayerState, Ruleset, new_game, why_not
from game.rules.events import Event, TargetSet
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.moves import read_mode
from game.rules.play.start import check_target, seat_player
from game.services.calls import forget_calls
from game.services.dice import fix_words
from game.services.games import begin_game, create_invite
from game.services.own_rules import check_chosen_rules, remember_chosen
from game.services.refusals import CannotStart, ColourTaken, GameFull, LinkEnded, NotForYou, SeatTaken, StaleMove
from game.services.seat_changes import apply_change
from game.services.shots import GameAndEvents
from game.services.transaction import WAITING, Command, follow_link, has_lapsed, locked_change, log_change, require_host
from game.storage import load_state

STARS_IN_FRONT = re.compile(r"^[\s*]+")  # and the spaces between them, which are not kept either
INVITE_LASTS = timedelta(days=7)
INVITE_ROUNDS = 2  # a little late is fine; later there is too much to catch up


def find_invite(token: str) -> Invite:
    """Return the invite behind a link. Raises `LinkEnded` if it was renewed or is too old, or its game went too far."""
    invite = Invite.objects.select_related("game").filter(token=token).first()
    if invite is None or timezone.now() - invite.created > INVITE_LASTS or has_lapsed(invite.game):
        raise LinkEnded(LinkEnded.INVITE)
    if invite.game.status != Game.Status.WAITING and not can_join_late(invite.game):
        raise LinkEnded(_explain_late_invite(invite.game), invite.game)
    return invite


def _explain_late_invite(game: Game) -> Promise:
    """Return the sentence that says why an invite gives no seat any more, and what to do instead."""
    if game.is_over:
        return LinkEnded.OVER if game.watching else LinkEnded.OVER_UNSEEN
    return LinkEnded.STARTED if game.watching else LinkEnded.STARTED_UNSEEN


def can_join_late(game: Game) -> bool:
    """Return whether an invite still seats people in a started game, as it does in the first two rounds."""
    if game.status != Game.Status.RUNNING or load_state(game).round > INVITE_ROUNDS:
        return False
    refusal = why_not(load_state(game), Join(name="?"))
    return refusal is None or refusal.code in ("name_taken", "full")


def take_seat(browser: Browser, token: str, key: str, digest: str, name: str, player: int | None = None) -> Game:
    """Take a seat by invite, and return the game. The seat is the free one of this player's row, or a new one.

    Raises `LinkEnded`, `SeatTaken` if somebody was quicker, `GameFull`, and `IllegalMove` for the name.
    """

    def sit_down(game: Game, _invite: Invite, visitor: Visitor) -> None:
        if player is None and len(game.seats) >= game.rules.max_players:
            raise GameFull(GameFull.WATCH) if game.watching else GameFull
        if game.status == Game.Status.RUNNING:
            join_late(game, visitor, name, player)
            return
        if player is None:
            create_seat(game, name_person(name), "", visitor)
        else:
            claim_seat(game, player, visitor)
        save_arrangement(game)

    return follow_link(browser, key, digest, partial(find_invite, token), sit_down)


def name_person(name: str) -> str:
    """Return the name without stars in front, which would make it a computer's; a guest is a person."""
    return STARS_IN_FRONT.sub("", name).rstrip()


def join_late(game: Game, visitor: Visitor, name: str, player: int | None) -> None:
    """Seat a guest in a running game.

    Raises `SeatTaken` for a reserved seat, since there are none after the start, and `IllegalMove` for the name.
    """
    if player is not None:
        raise SeatTaken
    apply_change(game, Join(name_person(name)), visitor=visitor.pk)
    game.players.filter(seat=len(game.seats) - 1).update(seen=timezone.now())


def claim_seat(game: Game, player: int, visitor: Visitor) -> None:
    """Take the seat that the host reserved under somebody's name. Raises `SeatTaken`."""
    wanted = next((row for row in game.seats if row.pk == player), None)
    if wanted is None or wanted.level or wanted.visitor_id is not None:
        raise SeatTaken
    wanted.visitor, wanted.seen = visitor, timezone.now()
    wanted.save(update_fields=["visitor", "seen"])


def add_seat(code: str, command: Command, name: str, level: str | None, *, free: bool = False) -> GameAndEvents:
    """Add a seat, as the host: on the host's own device, for a computer, or reserved for a guest (`free`).

    Raises a `Refusal`, and `IllegalMove` for the name or the level.
    """
    with locked_change(code, command, dice=False, when=WAITING, host=True) as game:
        create_seat(game, name, level or "", None if free else command.visitor)
        return save_arrangement(game)


def create_seat(game: Game, name: str, level: str, visitor: Visitor | None) -> None:
    """Add a seat at the end of the order. Raises `GameFull`, and `IllegalMove` for the name or the level."""
    if len(game.seats) >= game.rules.max_players:
        raise GameFull
    seated = seat_player(name, level or None, [PlayerState(row.name, row.level or None) for row in game.seats])
    here = timezone.now() if visitor and not seated.level else None
    place = len(game.seats)
    game.players.create(seat=place, name=seated.name, level=seated.level or "", visitor=visitor, seen=here)
    del game.seats


def remove_seat(code: str, command: Command, player: int) -> GameAndEvents:
    """Remove a seat: the host may remove any, everybody else their own. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=WAITING) as game:
        row = require_seat(game, command, player)
        drop_seat(game, row, left=is_held_by(row, command))
        return save_arrangement(game)


def drop_seat(game: Game, row: Player, *, left: bool) -> None:
    """Delete a seat, and log it if somebody sat there. `left`: they left, and were not removed by the host."""
    if not row.level and row.visitor_id is not None:
        log_change(game, "removed", None, name=row.name, left=left)
    others = [other for other in game.seats if other != row]
    row.delete()
    number_seats(game, others)


def move_seat(code: str, command: Command, player: int, by: int) -> GameAndEvents:
    """Swap this seat with the one before (-1) or after it (1) in the order of play. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=WAITING, host=True) as game:
        rows = list(game.seats)
        seat = require_seat(game, command, player).seat
        if 0 <= seat + by < len(rows):
            rows[seat], rows[seat + by] = rows[seat + by], rows[seat]
            number_seats(game, rows)
        return save_arrangement(game)


def number_seats(game: Game, rows: Sequence[Player]) -> None:
    """Renumber the seats 0, 1, 2 … in this order, via high numbers, since no two rows may share one in between."""
    game.players.update(seat=F("seat") + 1000)
    for place, row in enumerate(rows):
        game.players.filter(pk=row.pk).update(seat=place)
    del game.seats


def rename_seat(code: str, command: Command, player: int, name: str) -> GameAndEvents:
    """Rename a seat; a name with a star makes it a computer's. Raises a `Refusal`, and `IllegalMove` for the name."""
    with locked_change(code, command, dice=False, when=WAITING) as game:
        row = require_seat(game, command, player)
        name = clean_name(name)
        check_free(name, [other.name for other in game.seats if other is not row])
        computer = is_computer_name(name)
        if computer != is_computer_name(row.name):
            row.level = DEFAULT_LEVEL if computer else ""
            row.word = ""  # a computer has none
            if computer and row.visitor_id != command.who:  # a guest does not hold what the host puts in their place
                forget_calls(game.players.filter(pk=row.pk))
                row.visitor = command.visitor
        row.name = name
        row.save(update_fields=["name", "level", "word", "visitor"])
        return save_arrangement(game)


def choose_colour(code: str, command: Command, player: int, colour: int) -> GameAndEvents:
    """Choose the colour of a seat, 1 to 8. Others' default colours give way, chosen ones do not. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=WAITING) as game:
        row = require_seat(game, command, player)
        if taken := next((other for other in game.seats if other is not row and other.colour == colour), None):
            raise ColourTaken(name=taken.name)
        row.colour = colour
        row.save(update_fields=["colour"])
        return game, ()


def require_seat(game: Game, command: Command, player: int) -> Player:
    """Return a seat that this visitor may change: one of their own, or any for the host.

    Raises `StaleMove` for a seat that is gone, and `NotForYou` for one of somebody else.
    """
    row = next((row for row in game.seats if row.pk == player), None)
    if row is None:
        raise StaleMove
    if not is_held_by(row, command):
        require_host(game, command.known_visitor)
    return row


def is_held_by(row: Player, command: Command) -> bool:
    """Return whether this visitor holds the seat."""
    return row.visitor_id is not None and row.visitor_id == command.who


def save_arrangement(game: Game, *happened: Event) -> GameAndEvents:
    """Record a change of who plays, or of the rules. Older pages can't start the game: people start what they saw."""
    game.dice_version = game.version
    game.save(update_fields=["dice_version", "touched"])
    return game, happened


def choose_target(code: str, command: Command, value: int) -> GameAndEvents:
    """Choose the target, as the host. Raises a `Refusal`, and `IllegalMove` for an invalid one."""
    with locked_change(code, command, dice=False, when=WAITING, host=True) as game:
        check_target(game.rules, value)
        game.target = value
        game.save(update_fields=["target"])
        return save_arrangement(game, TargetSet(value))


def choose_ruleset(code: str, command: Command, chosen: RulesetRow | Ruleset) -> GameAndEvents:
    """Choose the ruleset, as the host: one of this site, or one made at the table. Other rules bring their target.

    Raises a `Refusal`; `GameFull` if it is for fewer players than are seated already.
    """
    row, rules = check_chosen_rules(chosen)
    with locked_change(code, command, dice=False, when=WAITING, host=True) as game:
        if len(game.seats) > rules.max_players:
            most = rules.max_players
            why = ngettext(
                "These rules are for at most %(n)s player.", "These rules are for at most %(n)s players.", most
            )
            raise GameFull(why, n=most)
        remember_chosen(rules)
        before = game.target
        if rules.digest != game.rules.digest:
            game.target = rules.target
        game.ruleset, game.settings = row, rules.to_json()
        game.save(update_fields=["ruleset", "settings", "target"])
        game.rules = rules
        is_set = game.target != before and rules.ending != "rounds"
        return save_arrangement(game, *([TargetSet(game.target)] if is_set else []))


def set_word(code: str, command: Command, player: int, word: str) -> GameAndEvents:
    """Set the word that a person adds to the dice once the seal is shown. Nobody can set somebody else's.

    Raises a `Refusal`.
    """
    with locked_change(code, command, dice=False, when=WAITING) as game:
        row = next((row for row in game.seats if row.pk == player), None)
        if row is None or row.level or not is_held_by(row, command):
            raise NotForYou(NotForYou.SEAT)
        row.word = word
        row.save(update_fields=["word"])
        return game, ()


def renew_invite(code: str, command: Command) -> GameAndEvents:
    """Make a new invite link; the old one stops working. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=WAITING, host=True) as game:
        Invite.objects.filter(game=game).delete()
        create_invite(game)
        log_change(game, "links")
        return game, ()


def start_game(code: str, command: Command, *, alone: bool = False) -> GameAndEvents:
    """Start the game, which fixes the words and the order. `alone`: the host really means to play alone.

    Raises a `Refusal`, such as `CannotStart`, which says what is missing.
    """
    with locked_change(code, command, when=WAITING, host=True) as game:
        if missing := explain_missing(game, command.who, alone=alone):
            raise CannotStart(missing)
        entries = [Entry(row.name, row.level or None) for row in game.seats]
        step = new_game(game.rules, entries, target=game.target, mode=read_mode(game.mode))
        fix_words(game)
        begin_game(game, step.state)
        game.created = timezone.now()  # its evening is the one on which it is played
        game.save(update_fields=["created"])
        return game, step.events


def explain_missing(game: Game, host: int | None, *, alone: bool = False) -> str:
    """Return what is missing to start, in a sentence; empty if the visitor who has the host's powers can start."""
    free = [row.name for row in game.seats if row.visitor_id is None and not row.level]
    if free:
        return str(CannotStart(CannotStart.FREE, name=free[0]))
    if (n := game.rules.min_players - len(game.seats)) > 0:
        return ngettext("Add %(n)s more player to start.", "Add %(n)s more players to start.", n) % {"n": n}
    if len(game.seats) > 1:
        return ""
    only = game.seats[0]
    if only.visitor_id != host:  # one without a seat must not begin a game of one guest
        return str(CannotStart(CannotStart.ONE, name=only.name))
    return "" if alone else str(CannotStart.ALONE)
