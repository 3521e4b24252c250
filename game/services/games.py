"""Making games: a new one, one from a game file, a rematch."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction

from game.identity import Browser
from game.models import Game, Ruleset, Visitor
from game.rules import Entry, State, Step, new_game, throw
from game.rules import Ruleset as Rules
from game.services.dice import fall, seal_new_epoch
from game.services.path import Asked, change, write_lock
from game.services.refusals import KeyUsed, StaleMove


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
) -> Game:
    """A new game on one device, begun: every seat is this browser's, computers play by themselves.

    The same key again gives the game that it made before. Raises `IllegalMove` for players, names or a target that the
    rules do not allow, and `KeyUsed` where the key made another game.
    """
    rules = ruleset.rules if money else replace(ruleset.rules, ante=0, bust_penalty=0)
    step = new_game(rules, seats, target=target, mode=mode)

    def make(visitor: Visitor) -> Game:
        game = begin(visitor, key, ruleset, rules, step, hints=hints, digest=digest)
        throw_for_start(game)
        return game

    digest = digest_of(ruleset.pk, tuple(seats), target, mode, hints, money)
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


def begin(visitor: Visitor, key: str, ruleset: Ruleset | None, rules: Rules, step: Step, **more: object) -> Game:
    """The rows of a game before its first throw, its dice sealed."""
    state = step.state
    game = Game.objects.create(
        key=key, ruleset=ruleset, settings=rules.to_json(), target=state.target, host=visitor, **more
    )
    for seat, player in enumerate(state.players):
        game.players.create(seat=seat, name=player.name, level=player.level or "", visitor=visitor)
    seal_new_epoch(game, 1)
    if state.mode != "auto":
        game.place = 1
        game.changes.create(place=1, kind="mode", data={"value": state.mode})
    game.keep_state(state)
    return game


def throw_for_start(game: Game) -> None:
    """Where the rules throw for the first player: as many rounds of throwing as it takes."""
    while game.state().to_throw:
        count = game.state().to_throw
        game.record(throw(game.state(), fall(game, count)), number=game.thrown)


def rematch(code: str, asked: Asked) -> Game:
    """A new game with the same seats, turned by one; whoever asks second is led to the first one's."""
    with change(code, asked, dice=False, over=True) as game:
        if game.status == Game.Status.RUNNING:
            raise StaleMove
        following = Game.objects.filter(follows=game).first()
        if following:
            return following
        if Game.objects.filter(key=asked.key).exists():
            raise KeyUsed
        state = game.state()
        rules = game.rules
        step = new_game(rules, turned(state), target=state.target, mode=state.mode)
        assert asked.visitor is not None  # `change` lets nobody in without a seat
        following = begin(asked.visitor, asked.key, game.ruleset, rules, step, hints=game.hints, follows=game)
        throw_for_start(following)
        return following


def turned(state: State) -> list[Entry]:
    """The seats so that the last one begins. Who had stepped out stays out, unless too few would be left."""
    everybody = [Entry(player.name, player.level) for player in state.players]
    stayed = [entry for entry, player in zip(everybody, state.players, strict=True) if player.active]
    entries = stayed if len(stayed) >= state.ruleset.min_players else everybody
    return [entries[-1], *entries[:-1]]
