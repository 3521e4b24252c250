"""Making games: a new one, one from a game file, a rematch."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction
from django.utils import timezone

from game.identity import Browser
from game.lock import write_lock
from game.models import Game, Invite, Ruleset, Visitor
from game.rules import Entry, State, new_game, throw
from game.rules import Ruleset as Rules
from game.rules.names import is_computer_name
from game.rules.ruleset import PLAYERS_MOST
from game.services.dice import fall, seal_new_epoch
from game.services.path import RUNNING, Asked, change
from game.services.refusals import KeyUsed, StaleMove

STAND_INS = [f"{n}\u2026\u2026" for n in range(PLAYERS_MOST)]  # for the rules, until enough people have sat down


def create(
    browser: Browser,
    key: str,
    ruleset: Ruleset,
    seats: Sequence[Entry],
    *,
    target: int | None = None,
    mode: str = "auto",
    hints: str = "",
    money: bool = True,
    wait: bool = False,
) -> Game:
    """A new game of this browser, begun: every seat is on this device, computers play by themselves.

    With `wait` it is not begun yet: its page has an invite, and others take seats of their own.

    The same key again gives the game that it made before. Raises `IllegalMove` for players, names or a target that the
    rules do not allow, and `KeyUsed` where the key made another game.
    """
    rules = ruleset.rules if money else replace(ruleset.rules, ante=0, bust_penalty=0)
    still_to_come = max(0, rules.min_players - len(seats)) if wait else 0
    step = new_game(rules, [*seats, *map(Entry, STAND_INS[:still_to_come])], target=target, mode=mode)
    seated = [Entry(player.name, player.level) for player in step.state.players[: len(seats)]]

    def make(visitor: Visitor) -> Game:
        more = {"target": step.state.target, "hints": hints, "mode": mode, "digest": digest}
        game = set_up(visitor, key, ruleset, rules, [(seat, visitor) for seat in seated], **more)
        if wait:
            Invite.objects.create(game=game)
        else:
            begin_play(game, step.state)
            throw_for_start(game)
        return game

    digest = digest_of(ruleset.pk, tuple(seats), target, mode, hints, money, wait)
    return once(browser, key, digest, make)


def digest_of(*content: object) -> str:
    """What was asked for with a key, so that the same key with something else is told apart."""
    return hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()


def once(browser: Browser, key: str, digest: str, make: Callable[[Visitor], Game]) -> Game:
    """The game that a form made before, or makes now. Of two presses at once the second gets the first's.

    The visitor's row is made with the game, not before: what is refused stores nothing.
    """
    try:
        with write_lock(), transaction.atomic():
            before = Game.objects.filter(key=key).first()
            if before is None:
                return make(browser.visitor_or_new())
    except IntegrityError:
        before = Game.objects.get(key=key)
    visitor = browser.visitor()
    if visitor is None or (before.host_id, before.digest) != (visitor.pk, digest):
        raise KeyUsed
    return before


def set_up(
    host: Visitor,
    key: str,
    ruleset: Ruleset | None,
    rules: Rules,
    seats: Sequence[tuple[Entry, Visitor | None]],
    **more: object,
) -> Game:
    """The rows of a game before its start: who holds which seat, and the seal of its dice."""
    game = Game.objects.create(
        key=key, status=Game.Status.WAITING, ruleset=ruleset, settings=rules.to_json(), host=host, **more
    )
    now = timezone.now()
    for seat, (entry, visitor) in enumerate(seats):
        seen = now if visitor == host else None
        game.players.create(seat=seat, name=entry.name, level=entry.level or "", visitor=visitor, seen=seen)
    seal_new_epoch(game, 1)
    return game


def begin_play(game: Game, state: State) -> None:
    """From here on the rules know the game."""
    if state.mode != "auto":
        game.place += 1
        game.changes.create(place=game.place, kind="mode", data={"value": state.mode, "start": True})
    game.keep_state(state)


def throw_for_start(game: Game) -> None:
    """Where the rules throw for the first player: as many rounds of throwing as it takes."""
    while game.state().to_throw:
        count = game.state().to_throw
        game.record(throw(game.state(), fall(game, count)), number=game.thrown)


def rematch(code: str, asked: Asked) -> Game:
    """A new game with the same seats, turned by one; whoever asks second is led to the first one's."""
    with change(code, asked, dice=False, when=RUNNING | Game.OVER) as game:
        if game.status == Game.Status.RUNNING:
            raise StaleMove
        following = Game.objects.filter(follows=game).first()
        if following:
            return following
        if Game.objects.filter(key=asked.key).exists():
            raise KeyUsed
        assert asked.visitor is not None  # `change` lets nobody in without a seat
        seats = turned(game)
        state = game.state()
        step = new_game(game.rules, [entry for entry, _holder in seats], target=state.target, mode=state.mode)
        more = {"target": state.target, "hints": game.hints, "mode": state.mode, "watching": game.watching}
        following = set_up(asked.visitor, asked.key, game.ruleset, game.rules, seats, follows=game, **more)
        begin_play(following, step.state)
        throw_for_start(following)
        return following


def turned(game: Game) -> list[tuple[Entry, Visitor | None]]:
    """The seats with who holds them, so that the last one begins. Who had stepped out stays out, unless too few
    would be left; whose seat a computer took over plays again."""
    rows = list(game.players.select_related("visitor"))
    stayed = [row for row in rows if row.active]
    rows = stayed if len(stayed) >= game.rules.min_players else rows
    seats = [(Entry(row.name, row.level if is_computer_name(row.name) else None), row.visitor) for row in rows]
    return [seats[-1], *seats[:-1]]
