"""A game file becomes a game: always a new one, with a new seed, going on where the file ends."""

from __future__ import annotations

from game.identity import Browser
from game.models import Game, RulesetRow, Visitor
from game.models.shots import columns_of
from game.models.writing import Told, Writer
from game.rules import Entry, Manual, Record, Ruleset, SetMode, State, apply, best_points, record
from game.rules.record import Replay, ShotRecord
from game.services.games import begin_play, content_digest, create_rows, make_once


def load_game(browser: Browser, key: str, saved: Record) -> Game:
    """The game in a file, for this browser to go on with; the same key again gives the same game.

    Its throws are shown, but are no sealed ones: they have no numbers. Raises `RecordError` for a file that does not
    replay; then nothing is stored.
    """
    replayed = record.replay(saved)

    digest = content_digest(saved)

    def make(visitor: Visitor) -> Game:
        ruleset = find_ruleset_row(saved.ruleset)
        state = replayed.start.state
        seats = [(Entry(player.name, player.level), visitor) for player in state.players]
        more = {"target": state.target, "loaded": True, "digest": digest}
        game = create_rows(visitor, key, ruleset, saved.ruleset, seats, **more)
        begin_play(game, state)
        write_rows(game, saved, replayed)
        continue_from_file(game, saved, replayed.state)
        return game

    return make_once(browser, key, digest, make)


def find_ruleset_row(rules: Ruleset) -> RulesetRow | None:
    """Our row of exactly these rules, if we have them."""
    rows = RulesetRow.objects.filter(slug=rules.slug).order_by("-version")
    return next((row for row in rows if row.rules == rules), None)


def write_rows(game: Game, saved: Record, replayed: Replay) -> None:
    writer = Writer(game)
    writer.note(replayed.start.state, replayed.start)
    state = replayed.start.state
    for event, step in zip(saved.events, replayed.steps, strict=True):
        if isinstance(event, ShotRecord) and event.cancelled:
            note_cancelled(writer, event, state)
        else:
            writer.note(state, step, **context_of(event))
        state = step.state
    writer.save()


def context_of(event: object) -> Told:
    if isinstance(event, ShotRecord) and event.manual:
        end = event.end if event.end in ("bank", "bust", "win") else "bust"
        return {"manual": Manual(event.points or 0, end, event.pick_up, event.dice_left)}
    return {}


def note_cancelled(writer: Writer, shot: ShotRecord, state: State) -> None:
    """A turn that was taken back: its rows as they were, and no step of the game."""
    writer.before = writer.after = state
    writer.told = {}
    row = writer.begin(shot.player, shot.pick_up)
    for faces in shot.throws:
        writer.threw(shot.player, faces.dice)
        last = writer.last
        assert last is not None  # it has just fallen
        last.cancelled = True
        if faces.keep:
            last.kept = "".join(map(str, columns_of(last.by_column, faces.keep)))
            last.points = best_points(state.ruleset, faces.keep) or 0
    left = writer.left
    writer.end(shot.player, shot.end or "", shot.points or 0)
    writer.left = left
    row.cancelled, row.manual, row.dice_left = True, shot.manual, shot.dice_left


def continue_from_file(game: Game, saved: Record, state: State) -> None:
    """The state at the end of the file. Whoever kept score for real dice goes on doing so."""
    shots = [event for event in saved.events if isinstance(event, ShotRecord)]
    counted = [shot for shot in shots if not shot.cancelled]
    game.undone = len(counted) < len(shots)
    game.target = saved.target
    game.save(update_fields=["target"])
    game.keep_state(state)
    if counted and counted[-1].manual and not state.finished:
        game.record(apply(state, SetMode("manual")))
