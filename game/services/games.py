"""Making games: a new one, one of the same players, a rematch. `loading` makes one from a game file."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from game.history import find_rematch
from game.identity import Browser
from game.lock import write_lock
from game.models import Game, Invite, Player, RulesetRow, Visitor, share_out_colours
from game.models.compiled import CompiledQuery, insert_row
from game.models.visitors import new_spoken
from game.rules import Entry, Ruleset, State, new_game, throw
from game.rules.play.moves import Mode
from game.rules.ruleset import PLAYERS_MOST
from game.services.crew_seats import follow_people
from game.services.dice import seal_first_epoch, throw_sealed_dice
from game.services.own_rules import check_chosen_rules, check_playable, remember_chosen, remember_played
from game.services.refusals import AlreadyDone, KeyUsed, NoSuchGame, StaleMove
from game.services.transaction import RUNNING, Command, has_lapsed, locked_change, may_see
from game.storage import keep_state, load_state, record_step

# Names that let the rules check a game while too few people have sat down.
STAND_INS = [f"{n}\u2026\u2026" for n in range(PLAYERS_MOST)]

MADE_BY_KEY = CompiledQuery(lambda key: Game.objects.filter(key=key), "key")


def create_game(
    browser: Browser,
    key: str,
    ruleset: RulesetRow | Ruleset,
    seats: Sequence[Entry],
    *,
    target: int | None = None,
    mode: Mode = "auto",
    hints: str = "",
    money: bool = True,
    wait: bool = False,
    colours: Mapping[str, int | None] | None = None,
    settle: Callable[[Game], None] | None = None,
) -> Game:
    """Return a new game of this browser that has begun: every seat is on this device, computers play by themselves.

    With `wait` it has not begun: its page has an invite, and others take seats of their own. Without `money` it has no
    ante and no penalty, whatever the ruleset says. A `Ruleset` that is not a row was made at the table. `colours`: what
    players chose, by name. `settle`: writes related rows in the same transaction.

    The same key again gives the game that it made before. Raises `IllegalMove` for players, names or a target that the
    rules do not allow, `UnplayableRules`, and `KeyUsed` if the key made another game.
    """
    row, rules = check_chosen_rules(ruleset)
    rules = rules if money else replace(rules, ante=0, bust_penalty=0)
    still_to_come = STAND_INS[: max(0, rules.min_players - len(seats))] if wait else ()
    state = new_game(rules, [*seats, *map(Entry, still_to_come)], target=target, mode=mode).state
    digest = digest_content(row.pk if row else rules.to_json(), tuple(seats), target, mode, hints, money, wait, colours)

    def make(visitor: Visitor) -> Game:
        seated = [(Entry(player.name, player.level), visitor) for player in state.players[: len(seats)]]
        fields = {"target": state.target, "hints": hints, "mode": mode, "digest": digest}
        game = create_rows(visitor, key, row, rules, seated, colours or {}, {}, **fields)
        if settle:
            settle(game)
        if wait:
            create_invite(game)
        return game if wait else begin_game(game, state)

    return make_once(browser, key, digest, make)


def play_again(browser: Browser, key: str, game: Game, seats: Sequence[Player]) -> Game:
    """Return a new game with these players of another game, its rules and dice, even if that one is unfinished.

    If a crew plays that game, it plays this one, too.
    """
    return create_game(
        browser,
        key,
        game.ruleset or game.rules,
        [Entry(seat.name, seat.own_level or None) for seat in seats],
        target=game.target,
        mode=load_state(game).mode,
        hints=game.hints,
        money=bool(game.rules.ante or game.rules.bust_penalty),
        colours={seat.name: seat.colour for seat in seats},
        settle=partial(follow_people, game),
    )


def digest_content(*content: object) -> str:
    """Return a digest of what a form asks for, so that a reused key with other content is noticed."""
    return hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()


def make_once(browser: Browser, key: str, digest: str, make: Callable[[Visitor], Game]) -> Game:
    """Return the game that a form made before, or makes now. Two simultaneous presses make one game.

    The visitor's row is created with the game, not before, so a refusal stores nothing. Raises `KeyUsed` if the key
    made a different game, or one for somebody else.
    """
    try:
        with write_lock(), transaction.atomic():
            before = MADE_BY_KEY.first(key)
            if before is None:
                return make(browser.visitor_or_new())
    except IntegrityError:  # created since the query above
        before = MADE_BY_KEY.first(key)
        if before is None:
            raise
    visitor = browser.visitor()
    if visitor is None or (before.host_id, before.digest) != (visitor.pk, digest):
        raise KeyUsed
    return before


def create_rows(
    host: Visitor,
    key: str,
    ruleset: RulesetRow | None,
    rules: Ruleset,
    seats: Sequence[tuple[Entry, Visitor | None]],
    colours: Mapping[str, int | None],
    usual_colours: Mapping[str, int],
    **fields: object,
) -> Game:
    """Write the rows of a game before its start: who holds which seat, and the seal of its dice.

    `colours`: what players chose, by name; `usual_colours`: those of the others, if not the colours of their seats.
    """
    game = Game(key=key, status=Game.Status.WAITING, ruleset=ruleset, settings=rules.to_json(), host=host, **fields)
    insert_row(game)
    remember_chosen(rules)
    now = timezone.now()
    for seat, (entry, visitor) in enumerate(seats):
        player = Player(game=game, seat=seat, name=entry.name, level=entry.level or "", visitor=visitor)
        player.colour, player.usual_colour = colours.get(entry.name), usual_colours.get(entry.name)
        player.seen = now if visitor == host else None
        insert_row(player)
    seal_first_epoch(game, len(seats))
    return game


def create_invite(game: Game) -> None:
    """Make the link to a game, with words that no other invite has."""
    invite = Invite(game=game)
    while Invite.objects.filter(spoken=invite.spoken).exists():
        invite.spoken = new_spoken()
    invite.save()


def begin_game(game: Game, state: State) -> Game:
    """Begin the game. If its rules throw for who plays first, throw as many rounds as that takes."""
    store_start(game, state)
    while (state := load_state(game)).to_throw:
        record_step(game, throw(state, throw_sealed_dice(game, state.to_throw)), number=game.thrown)
    return game


def store_start(game: Game, state: State) -> None:
    """Store the state with which the game begins; a waiting game has none."""
    remember_played(game.rules)
    if state.mode != "auto":
        game.place += 1
        game.changes.create(place=game.place, kind="mode", data={"value": state.mode, "start": True})
    keep_state(game, state)


def start_rematch(code: str, command: Command, rules: Ruleset | None = None, *, wait: bool = False) -> Game:
    """Return the rematch, made unless there is one: the same seats, rotated by one unless the ruleset keeps them.

    `rules`: changed rules for it. `wait`: don't begin it yet, so that words can be added. Raises a `Refusal`, also if
    there is one that the visitor may not see, `IllegalMove` for too many or too few players, and `AlreadyDone` for a
    retry after the new game was deleted.
    """
    if rules:
        check_playable(rules)
    try:
        with locked_change(code, command, dice=False, when=RUNNING | Game.OVER) as game:
            if game.status == Game.Status.RUNNING:
                raise StaleMove
            following = find_rematch(game)
            if following and has_lapsed(following):  # it makes room for another
                Game.objects.filter(follows=game).update(follows=None)
                following = None
            if following and not may_see(following, command.visitor):
                raise NoSuchGame
            if following:
                return following
            if Game.objects.filter(key=command.key).exists():
                raise KeyUsed
            return create_rematch(game, command.known_visitor, command.key, rules, wait=wait)
    except AlreadyDone:
        made = Game.objects.filter(follows__code=code).first()
        if made is None or not may_see(made, command.visitor):
            raise
        return made


def create_rematch(game: Game, host: Visitor, key: str, changed: Ruleset | None, *, wait: bool) -> Game:
    """Return a new rematch. It also waits if too few players are left: then the seats nobody holds are free for guests.

    `changed`: rules other than those of the game before.
    """
    rules, row = (changed, None) if changed else (game.rules, game.ruleset)
    state, seats = load_state(game), list_seats_again(game)
    if row is None or not row.keeps_seats:
        seats = [seats[-1], *seats[:-1]]  # the last game's first player does not begin again
    target = changed.target if changed else state.target
    colours = {seat.name: seat.colour for seat in game.seats}
    shown = share_out_colours([seat.colour for seat in game.seats], [seat.default_colour for seat in game.seats])
    usual = {seat.name: colour for seat, colour in zip(game.seats, shown, strict=True)}
    fields = {"target": target, "hints": game.hints, "mode": state.mode, "watching": game.watching}
    following = create_rows(host, key, row, rules, seats, colours, usual, follows=game, **fields)
    follow_people(game, following)
    if wait or not all(is_seat_taken(*seat) for seat in seats):
        create_invite(following)
        return following
    entries = [entry for entry, _holder in seats]
    return begin_game(following, new_game(rules, entries, target=target, mode=state.mode).state)


def list_seats_again(game: Game) -> list[tuple[Entry, Visitor | None]]:
    """Return the seats of a rematch with their holders. People whose seats a computer took over play again.

    Leaves out seats that nobody holds any more and players who had stepped out. If too few are left, the latter come
    back, and if there are still too few, all seats do. Whoever played with others does not end up alone in a rematch.
    """
    seats = [
        (row.active, (Entry(row.name, row.own_level or None), row.visitor))
        for row in game.players.select_related("visitor")
    ]
    taken = [(active, seat) for active, seat in seats if is_seat_taken(*seat)]
    playing = [(active, seat) for active, seat in taken if active]
    needed = max(game.rules.min_players, min(2, len(seats)))
    enough = (seated for seated in (playing, taken) if len(seated) >= needed)
    return [seat for _active, seat in next(enough, seats)]


def is_seat_taken(entry: Entry, holder: Visitor | None) -> bool:
    """Return whether the seat is played: by a computer, or by a person at a browser."""
    return entry.level is not None or holder is not None
