"""The whole game page as one viewer sees it: each region is built by one call."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from game import services
from game.live import Presence
from game.models import Game, Visitor
from game.pages.board.announcements import announce_action, announce_changes, announce_missed
from game.pages.board.coaching import coach_newcomer, offer_after_game
from game.pages.board.components import NOTHING_TYPED, Board, HostOptions, TypedTurn
from game.pages.board.players_panel import build_players_panel
from game.pages.board.real_dice_pad import Play, build_pad
from game.pages.board.regions import OF_ALL, Outdated
from game.pages.board.requests import build_absence, build_banner, build_rematch_call, build_undo_request, mark_presence
from game.pages.board.result import build_result, list_pot_payments
from game.pages.board.sound import find_cue
from game.pages.board.status import build_status
from game.pages.board.tray import build_board_tray, build_last_tray
from game.pages.board.ways import build_ways
from game.pages.parts.components import NOTHING_REFUSED, RefusedInput
from game.pages.parts.language import gettext as _
from game.pages.parts.language import one_language
from game.pages.parts.score_chart import build_score_chart
from game.pages.parts.scoreboard import build_cards
from game.pages.parts.text import format_money, number
from game.pages.parts.turn_log import build_earlier_turns, build_turn_log
from game.pages.parts.view_of_game import ViewerGame, load_for
from game.pages.rulesets.names import name_ruleset
from game.prefs import Prefs
from game.rules.events import Event


@dataclass(frozen=True)
class RenderOptions:
    """What one page load needs besides the game itself."""

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


@one_language()
def build_board(row: Game, visitor: Visitor | None, prefs: Prefs, options: RenderOptions) -> Board:
    """Return the page of a game for a viewer, with the regions that `options` names."""
    game = load_for(row, visitor, prefs, options.presence, whole_log=options.whole_log)
    regions = options.regions
    state, play = game.state, build_play(game, options)
    note = play.note or options.note or announce_changes(options.happened, game.players)
    names = [_("You") if seat in game.called_you else player.name for seat, player in enumerate(state.players)]
    earlier, more = build_earlier_turns(game) if "earlier" in regions else ((), "")
    asks = visitor is not None and not services.decides_alone(row, visitor)
    is_handed = game.held != game.people  # a computer plays for a person of this device, or by itself
    dice_lie_there = game.people and (game.throws or row.draft or game.previous)
    cue, moment = find_cue(game)
    options_of_host = HostOptions(target=state.goal, mode=state.mode, hints=row.hints)
    return Board(
        code=row.code,
        version=row.version,
        url=game.url,
        ruleset=name_ruleset(state.ruleset),
        ruleset_url=row.rules_address if "people" in regions else "",
        round=describe_round(state.ruleset.rounds, state.round),
        target="" if state.ruleset.rounds else _("to %(target)s") % {"target": number(state.target)},
        pot=_("Pot %(amount)s") % {"amount": format_money(state.pot, state.ruleset.currency)} if state.pot else "",
        pot_paid=list_pot_payments(game) if state.pot else (),
        undo=bool(dice_lie_there) and not game.is_abandoned and not row.asking_id,
        undo_label=_("Ask to undo") if asks else _("Undo"),
        cards=build_cards(state, game.contacts, play.points, game.called_you),
        status=build_status(play.game, play.tray, note),
        live=find_announcement(play, options),
        banner=build_banner(game, options.refusal),
        refused=options.refused,
        undo_request=build_undo_request(game) if row.asking_id else None,
        absence=build_absence(game) if is_handed or not (game.is_yours or game.computer_due) else None,
        react_url=game.address("reaction") if game.shared and game.people and prefs.reactions == "on" else "",
        rematch_call=build_rematch_call(game) if game.is_over else None,
        tray=play.tray,
        pad=play.pad,
        finish=build_result(game) if game.is_over else None,
        ways=build_ways(play.game, play.tray) if "ways" in regions else None,
        log=build_turn_log(play.game.throws, play.tray) if "turnlog" in regions else None,
        earlier=earlier,
        earlier_more=more,
        chart=build_score_chart(names, state.goal, game.scores) if "chart" in regions else None,
        people=build_players_panel(game, options.link) if "people" in regions else None,
        options=options_of_host if "people" in regions and game.is_host and not game.is_over else None,
        yours=game.is_yours,
        seated=bool(game.held),
        after=offer_after_game(game) if game.is_over else None,
        coaching=coach_newcomer(game) if play.tray else (),
        sound_cue=cue,
        moment=moment,
        last_tray=build_last_tray(game) if game.is_over and "tray" in regions else None,
        presence=mark_presence(game.presence, services.is_silent(row)),
    )


def find_announcement(play: Play, options: RenderOptions) -> str:
    """Return what a screen reader says after this request: a refusal or a note, else what was done or missed."""
    heard = options.refusal or options.note or play.note
    if heard or options.missed == "people":
        return heard
    if options.missed == "dice" and play.heard:
        return play.heard
    if options.missed:
        return announce_missed(play.game, options.missed == "dice", options.shown)
    return announce_action(play.game, options.happened) or play.heard


def describe_round(rounds: int, n: int) -> str:
    """Return which round is being played. `rounds`: how many the game has; 0 if it does not end after a number of them.

    The last round and extra rounds are announced above the game.
    """
    return (_("Round %(n)s of %(all)s") if n <= rounds else _("Round %(n)s")) % {"n": n, "all": rounds}


def build_play(game: ViewerGame, options: RenderOptions) -> Play:
    """Return the tray, or the pad for real dice; neither after the end."""
    if game.is_over:
        return Play(game)
    if game.state.by_hand:
        return build_pad(game, options.entry or game.prefs.entry, options.typed, options.ticked)
    tray = build_board_tray(game, options.ticked)
    return Play(game, tray, points=tray.shown)
