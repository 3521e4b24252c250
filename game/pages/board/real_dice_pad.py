"""Real dice: the entry pad in place of the tray, for typed points or tapped dice."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from game.pages.board.tray import build_tray_of_others
from game.pages.parts.choices import OBSTACLES, build_choice_tray
from game.pages.parts.components import Button, Die, Tray
from game.pages.parts.dice import fill_tray, find_aside, lay_aside, lay_shown, write_captions
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.pages.parts.view_of_game import ViewerGame, list_keeps
from game.rules import State
from game.rules.play.banking import why_too_few
from game.storage.columns import find_free_columns
from game.storage.real_dice import Draft, TappedTurn, load_turn, sum_typed_points


@dataclass(frozen=True)
class TypedTurn:
    """What was entered of a turn with real dice in a form that was refused, to be shown again and corrected."""

    value: str = ""  # the points or faces
    picked_up: bool = False
    dice_left: str = ""
    lost: str = ""  # the points lost in a bust
    nothing: bool = False  # the bust was a throw of nothing


NOTHING_TYPED = TypedTurn()


@dataclass(frozen=True)
class TapPad:
    """The pad on which real dice are tapped, face by face."""

    due: int  # how many dice are to be tapped
    columns: str  # in which they will lie, "256"
    old: list[Die]
    upper: str
    lower: str


@dataclass(frozen=True)
class EntryPad:
    """The entry pad for the points of real dice, or their faces."""

    draft: Draft
    typed: TypedTurn = NOTHING_TYPED  # after a refusal
    so_far: int = 0  # points of the turn
    least: str = ""  # the minimum to bank, while the turn has less
    asks_lost: bool = False  # a bust costs what the turn had gathered
    tap: TapPad | None = None  # if dice are tapped instead
    others: str = ""  # what everybody else sees instead


@dataclass(frozen=True)
class Play:
    """The controls of a turn: the tray, or the pad in its place; neither after the end."""

    game: ViewerGame  # with real dice: as if the tapped dice had been thrown here
    tray: Tray | None = None
    pad: EntryPad | None = None
    note: str = ""  # the outcome of the last entry
    heard: str = ""  # the same, but only for a screen reader, because the pad shows it

    @property
    def points(self) -> int:
        """The points of the turn, as Bank would bank them; 0 after the end."""
        return self.tray.shown if self.tray else self.pad.so_far if self.pad else 0


def build_pad(game: ViewerGame, entry: str, typed: TypedTurn, ticked: Collection[int] | None) -> Play:
    """Return the pad, or the tray with the dice that were tapped.

    `entry`: 'type' or 'tap'; `typed`: what was refused, if anything; `ticked`: columns of the tapped dice
    that were chosen.
    """
    turn = load_turn(game.row)
    if not game.is_yours:
        return build_play_of_others(game, turn)
    draft, so_far = turn.draft, sum_typed_points(game.state, turn.draft)
    if entry != "tap":
        waiting = _("The dice you tapped (%(points)s) count only under “Tap dice”.") % {"points": number(turn.points)}
        note = waiting if draft.throws else ""
        heard = _("This turn so far: %(points)s.") % {"points": number(so_far)} if draft.sums else ""
        least = describe_minimum(game.state, so_far)
        pad = EntryPad(draft, typed, so_far, least, asks_lost=game.state.ruleset.bust_cost == "shot")
        return Play(game, pad=pad, note=note, heard=heard)
    seen = show_tapped(game, turn)
    if turn.due:
        pad = EntryPad(draft, typed, turn.points, tap=build_tap_pad(turn))
        note = describe_next_throw(turn)
        if draft.sums:
            note = _("The %(points)s points that you typed count only under “Type points”.") % {
                "points": number(so_far)
            }
        return Play(seen, pad=pad, note=note)
    if turn.lost is not None:
        cost = _("%(points)s points lost") % {"points": number(turn.lost)} if turn.lost else _("0 points")
        button = Button(name_end(turn), cost)
        tray, note = replace(build_bust_tray(game, turn, turn.lost), yours=True, bank=button), explain_end(turn)
    else:
        throw, aside, free = turn.throws[-1], find_aside(turn.throws[:-1]), game.prefs.first == "choose"
        tray = build_choice_tray(seen.state, seen.keeps, throw, aside, ticked, free=free, address=game.address)
        note = ""
    bank, onward = tray.bank, tray.throw
    tray = replace(
        tray,
        bank=bank and replace(bank, url=game.address("points")),
        throw=onward and replace(onward, url=game.address("pad?do=throw")),
        draft=draft,
    )
    return Play(seen, tray, note=note)


def describe_minimum(state: State, so_far: int) -> str:
    """Return the least that the turn must be worth to be banked; empty if it is. `so_far`: points typed before."""
    reason = why_too_few(state, so_far)
    if reason is None or (state.ruleset.exact != "no" and state.players[state.player].entered):
        return ""  # a bank that makes an exact target needs no minimum
    texts = {"entry_minimum": _("First bank: %(min)s+"), "bank_minimum": _("Minimum: %(min)s")}
    return (texts.get(reason.code) or _(OBSTACLES[reason.code])) % {"min": number(reason.data["need"])}


def build_play_of_others(game: ViewerGame, turn: TappedTurn) -> Play:
    """Return what the viewer sees of a turn that somebody is entering on another device."""
    seen = show_tapped(game, turn)
    if not turn.throws:
        so_far = sum_typed_points(game.state, turn.draft)
        waiting = describe_waiting(game.name_due, so_far)
        pad = EntryPad(turn.draft, so_far=so_far, others=waiting)
        return Play(game, pad=pad, heard=waiting if so_far else "")
    if turn.lost is not None:
        return Play(seen, build_bust_tray(game, turn, turn.lost), note=explain_end(turn))
    if seen.keeps:
        return Play(seen, build_tray_of_others(seen))
    aside = find_aside(turn.throws)
    upper, lower = write_captions(turn.due, len(aside))
    tray = fill_tray(
        lay_aside(aside),
        turn.points,
        0,
        yours=False,
        throw_number=turn.throws[-1].pk,
        rules=game.state.ruleset,
        seat=game.state.player + 1,
    )
    tray = replace(tray, upper=upper, lower=lower)
    return Play(seen, tray, note=describe_next_throw(turn, game.name_due))


def show_tapped(game: ViewerGame, turn: TappedTurn) -> ViewerGame:
    """Return the game as if the dice that were tapped had been thrown here."""
    if not turn.throws:
        return game
    return replace(game, state=turn.state, throws=turn.throws, keeps=list_keeps(turn.state))


def describe_waiting(name: str, so_far: int) -> str:
    """Return the sentence that replaces the pad for those who wait. `so_far`: points typed so far in the turn."""
    values = {"name": name, "points": number(so_far)}
    if so_far:
        return _("%(name)s is throwing real dice: %(points)s points so far.") % values
    return _("%(name)s is throwing real dice. The turn appears here as it is entered.") % values


def build_tap_pad(turn: TappedTurn) -> TapPad:
    """Return empty places for the thrown dice, to be filled one by one, above the kept dice."""
    aside = find_aside(turn.throws)
    upper, lower = write_captions(turn.due, len(aside))
    return TapPad(turn.due, find_free_columns(turn.last_throw, turn.due), lay_aside(aside), upper, lower)


def describe_next_throw(turn: TappedTurn, name: str = "") -> str:
    """Return how many dice to throw on the table now; empty before the first throw, and for another try of a last die.

    `name`: that of the player who throws, if the viewer looks on.
    """
    shot = turn.state.shot
    if not turn.throws or shot is None or shot.tries:
        return ""
    if name:
        text = ngettext(
            "%(points)s so far. %(name)s throws %(n)s die.",
            "%(points)s so far. %(name)s throws %(n)s dice.",
            turn.due,
        )
    else:
        text = ngettext(
            "%(points)s so far. Throw %(n)s die and tap it.",
            "%(points)s so far. Throw %(n)s dice and tap them.",
            turn.due,
        )
    return text % {"n": turn.due, "points": number(turn.points), "name": name}


def build_bust_tray(game: ViewerGame, turn: TappedTurn, lost: int) -> Tray:
    """Return the tray of a throw that ends the turn, as it lies there. `lost`: the points of the turn."""
    throw = turn.throws[-1]
    return fill_tray(
        lay_aside(find_aside(turn.throws[:-1])) + lay_shown(throw, ()),
        lost,
        0,
        lost=True,
        yours=False,
        throw_number=throw.pk,
        rules=game.state.ruleset,
        seat=game.state.player + 1,
    )


def name_end(turn: TappedTurn) -> str:
    """Return the label of the button that ends a turn without points."""
    return {"bust": _("Bust"), "over": _("Over"), "eliminated": _("Eliminated")}[turn.end]


def explain_end(turn: TappedTurn) -> str:
    """Return why a turn ends without points."""
    sentences = {
        "bust": _("Bust! This throw scores nothing."),
        "over": _("Whatever you keep goes beyond the target."),
        "eliminated": _("This throw eliminates the player."),
    }
    return sentences[turn.end]
