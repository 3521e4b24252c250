"""The whole game page as one viewer sees it: each region is built by one call."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from game import services
from game.live import Presence
from game.models import Game, Visitor
from game.pages.board.announcements import announce_action, announce_changes, announce_final_round_off, announce_missed
from game.pages.board.banner import (
    HandedSeat,
    PendingQuestion,
    announce_rematch,
    build_question,
    describe_unheard_question,
    find_handed_seat,
    mark_presence,
)
from game.pages.board.coaching import AfterGame, coach_newcomer, offer_after_game
from game.pages.board.players_panel import PlayersPanel, build_players_panel
from game.pages.board.real_dice_pad import NOTHING_TYPED, EntryPad, Play, TypedTurn, build_pad
from game.pages.board.regions import OF_ALL, Outdated
from game.pages.board.result import GameResult, build_result, list_pot_payments
from game.pages.board.sound import find_cue
from game.pages.board.status import build_status
from game.pages.board.tray import build_board_tray, build_last_tray
from game.pages.board.ways import WaysToKeep, build_ways
from game.pages.parts.components import (
    NOTHING_REFUSED,
    RefusedInput,
    ScoreCard,
    ScoreChart,
    StatusText,
    ThrowEntry,
    Tray,
    TurnEntry,
)
from game.pages.parts.language import write_in_one_language
from game.pages.parts.score_chart import build_score_chart
from game.pages.parts.scoreboard import build_cards
from game.pages.parts.text import join_names
from game.pages.parts.turn_log import build_earlier_turns, build_turn_log
from game.pages.parts.view_of_game import ViewerGame, load_viewer_game
from game.prefs import Prefs
from game.rules.events import Event


@dataclass(frozen=True)
class RenderOptions:
    """What an answer needs besides the game: what was done, refused or missed, and which regions are wanted."""

    ticked: Collection[int] | None = None  # chosen columns, after a refusal or from a link of Ways to keep
    happened: Sequence[Event] = ()
    refusal: str = ""
    note: str = ""  # an announcement for which the rules have no event
    typed: TypedTurn = NOTHING_TYPED  # a turn with real dice, after a refusal
    refused: RefusedInput = NOTHING_REFUSED  # a name or a target, after a refusal
    entry: str = ""  # 'type' or 'tap', if this request switches it
    whole_log: bool = False
    link: str = ""
    missed: Outdated | None = None  # what the page lacks, if it did not act itself
    shown: int = 0  # the version of such a page
    presence: Presence | None = None  # who is at the game, if known already
    regions: frozenset[str] = OF_ALL


@dataclass(frozen=True)
class Board:
    """Everything the game page shows to one viewer: the game, and what its regions show besides."""

    game: ViewerGame
    live: str  # the one sentence announced after an action
    status: StatusText
    cards: tuple[ScoreCard, ...]
    presence: str  # who is there now, as one string to compare
    refusal: str
    refused: RefusedInput
    undo: bool  # there is something to undo
    asks: bool  # an undo only asks the people on other devices
    question: PendingQuestion | None
    tied: str  # the others in an extra round of those who share the highest score
    unheard: str  # "Bruno said no to the undo."
    handed: HandedSeat | None
    kept_waiting: bool  # somebody on another device, who is due, has done nothing for minutes
    rematch_call: str  # "Bruno has started a rematch."
    tray: Tray | None
    pad: EntryPad | None
    coaching: tuple[str, ...]  # what a newcomer reads under the dice in their first turns
    finish: GameResult | None
    after: AfterGame | None
    last_tray: Tray | None  # after the end: the last throw, for a page that has not shown it
    pot_paid: tuple[tuple[str, int], ...]  # (name, coins): who has paid how much into the pot
    ways: WaysToKeep | None
    log: tuple[ThrowEntry, ...]  # the throws of the running turn
    earlier: tuple[TurnEntry, ...]  # turns and changes before it, newest first
    has_more: bool  # there are earlier ones
    chart: ScoreChart | None
    people: PlayersPanel | None
    sound_cue: str  # the sound and its row, "throw 812"; the page plays the sound when this changes
    moment: str  # a headline for a short while, "You’re on the board!"


@write_in_one_language()
def build_board(row: Game, visitor: Visitor | None, prefs: Prefs, options: RenderOptions) -> Board:
    """Return the page of a game for a viewer, with the regions that `options` names."""
    game = load_viewer_game(row, visitor, prefs, options.presence, whole_log=options.whole_log)
    regions, state, play = options.regions, game.state, build_play(game, options)
    earlier, has_more = build_earlier_turns(game) if "earlier" in regions else ((), False)
    dice_lie_there = game.people and (game.throws or row.draft or game.previous)
    note = play.note or options.note or announce_changes(options.happened, game.players)
    cue, moment = find_cue(game)
    return Board(
        game=game,
        live=find_announcement(play, options),
        status=build_status(play.game, play.tray, note),
        cards=build_cards(state, game.contacts, play.points, game.called_you, abandoned=game.is_abandoned),
        presence=mark_presence(game.presence, services.is_silent(row), game.host != row.host_id),
        refusal=options.refusal,
        refused=options.refused,
        undo=bool(dice_lie_there) and not game.is_abandoned and not row.asking_id,
        asks=visitor is not None and not services.decides_alone(row, visitor),
        question=build_question(game) if row.asking_id else None,
        tied=join_names([state.players[seat].name for seat in state.tied if seat not in game.called_you]),
        unheard=describe_unheard_question(game) if game.shared and not options.refusal else "",
        handed=find_handed_seat(game) if game.held != game.people else None,
        kept_waiting=not (game.is_yours or game.computer_due or game.is_over) and services.is_silent(row),
        rematch_call=announce_rematch(game) if game.is_over else "",
        tray=play.tray,
        pad=play.pad,
        coaching=coach_newcomer(game) if play.tray else (),
        finish=build_result(game) if game.is_over else None,
        after=offer_after_game(game) if game.is_over else None,
        last_tray=build_last_tray(game) if game.is_over and "tray" in regions else None,
        pot_paid=list_pot_payments(game) if state.pot else (),
        ways=build_ways(play.game) if "ways" in regions else None,
        log=build_turn_log(play.game.throws, play.tray) if "turnlog" in regions else (),
        earlier=earlier,
        has_more=has_more,
        chart=build_score_chart(game.names, state.goal, game.scores) if "chart" in regions else None,
        people=build_players_panel(game, options.link) if "people" in regions else None,
        sound_cue=cue,
        moment=moment,
    )


def find_announcement(play: Play, options: RenderOptions) -> str:
    """Return what a screen reader says after this request: a note, else what was done or missed.

    Nothing for a refusal: its line above the game is an alert, which is read out already.
    """
    heard = "" if options.refusal else options.note or play.note
    if options.note and play.game.row.dice_version == play.game.row.version:  # it notes an undo
        return f"{heard} {announce_final_round_off(play.game)}".rstrip()
    if heard or options.refusal or options.missed == "people":
        return heard
    if options.missed == "dice" and play.heard:
        return play.heard
    if options.missed:
        return announce_missed(play.game, options.missed == "dice", options.shown)
    return announce_action(play.game, options.happened) or play.heard


def build_play(game: ViewerGame, options: RenderOptions) -> Play:
    """Return the tray, or the pad for real dice; neither after the end."""
    if game.is_over:
        return Play(game)
    if game.state.by_hand:
        return build_pad(game, options.entry or game.prefs.entry, options.typed, options.ticked)
    return Play(game, build_board_tray(game, options.ticked))
