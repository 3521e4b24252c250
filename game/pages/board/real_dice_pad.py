"""Real dice: the entry pad in place of the tray, for typed points or tapped dice."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from game.pages.board.components import NOTHING_TYPED, EntryPad, TapPad, TypedTurn
from game.pages.board.tray import build_tray_of_others
from game.pages.parts.choices import build_choice_tray
from game.pages.parts.components import Button, DraftButtons, Tray
from game.pages.parts.dice import caption_lines, fill_tray, find_aside, lay_aside, lay_shown
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.pages.parts.view_of_game import ViewerGame, list_keeps
from game.storage.columns import columns_after
from game.storage.real_dice import Draft, TappedTurn, load_turn, sum_typed_points


@dataclass(frozen=True)
class Play:
    """The controls of a turn: the tray, or the pad in its place; neither after the end."""

    game: ViewerGame  # with real dice: as if the tapped dice had been thrown here
    tray: Tray | None = None
    pad: EntryPad | None = None
    points: int = 0  # of the turn, as Bank would bank them
    note: str = ""  # the outcome of the last entry
    heard: str = ""  # the same, but only for a screen reader, because the pad shows it


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
        note = _("The dice that you tapped wait under “Tap dice”.") if draft.throws else ""
        heard = _("This turn so far: %(points)s.") % {"points": number(so_far)} if draft.sums else ""
        return Play(game, pad=build_type_pad(game, draft, typed, so_far), points=so_far, note=note, heard=heard)
    seen = show_tapped(game, turn)
    if turn.due:
        pad = replace(build_type_pad(game, draft, typed, 0, entry), tap=build_tap_pad(turn))
        note = describe_next_throw(turn)
        if draft.sums:
            typed_points = {"points": number(so_far)}
            note = _("The %(points)s points that you typed wait under “Type points”.") % typed_points
        return Play(seen, pad=pad, points=turn.points, note=note)
    if turn.lost is not None:
        button = Button(name_end(turn), _("%(points)s points lost") % {"points": number(turn.lost)})
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
        entered=build_draft_buttons(game, draft, "tap"),
    )
    return Play(seen, tray, points=tray.shown, note=note)


def build_play_of_others(game: ViewerGame, turn: TappedTurn) -> Play:
    """Return what the viewer sees of a turn that somebody is entering on another device."""
    seen = show_tapped(game, turn)
    if not turn.throws:
        so_far = sum_typed_points(game.state, turn.draft)
        heard = describe_waiting(game.name_due, so_far) if so_far else ""
        return Play(game, pad=build_type_pad(game, turn.draft, NOTHING_TYPED, so_far), points=so_far, heard=heard)
    if turn.lost is not None:
        return Play(seen, build_bust_tray(game, turn, turn.lost), note=explain_end(turn))
    if seen.keeps:
        tray = build_tray_of_others(seen)
        return Play(seen, tray, points=tray.shown)
    aside = find_aside(turn.throws)
    upper, lower = caption_lines(turn.due, len(aside))
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
    return Play(seen, tray, points=turn.points, note=describe_next_throw(turn, game.name_due))


def show_tapped(game: ViewerGame, turn: TappedTurn) -> ViewerGame:
    """Return the game as if the dice that were tapped had been thrown here."""
    if not turn.throws:
        return game
    return replace(game, state=turn.state, throws=turn.throws, keeps=list_keeps(turn.state))


def build_type_pad(game: ViewerGame, draft: Draft, typed: TypedTurn, so_far: int, entry: str = "type") -> EntryPad:
    """Return the pad for typed points. `so_far`: points of the throws added so far."""
    return EntryPad(
        yours=game.is_yours,
        url=game.address("points"),
        rules=game.state.ruleset,
        offer=game.state.pick_up,
        seat=game.state.player + 1,
        entered=build_draft_buttons(game, draft, entry),
        typed=typed,
        picked_up=draft.pick_up or typed.picked_up,
        so_far=so_far,
        gathered=sum(draft.sums),
        begun=bool(draft.sums),
        asks_lost=game.state.ruleset.bust_cost == "shot",
        others="" if game.is_yours else describe_waiting(game.name_due, so_far),
    )


def describe_waiting(name: str, so_far: int) -> str:
    """Return the sentence that replaces the pad for those who wait. `so_far`: points typed so far in the turn."""
    values = {"name": name, "points": number(so_far)}
    if so_far:
        return _("%(name)s is throwing real dice: %(points)s points so far.") % values
    return _("%(name)s is throwing real dice. The turn appears here as it is entered.") % values


def build_draft_buttons(game: ViewerGame, draft: Draft, entry: str) -> DraftButtons:
    """Return the buttons beside a turn that is being entered. `entry`: 'type' or 'tap'."""
    begun = draft.sums if entry == "type" else draft.throws
    return DraftButtons(url=game.address("pad"), entry=entry, back=bool(begun))


def build_tap_pad(turn: TappedTurn) -> TapPad:
    """Return empty places for the thrown dice, to be filled one by one, above the kept dice."""
    aside = find_aside(turn.throws)
    upper, lower = caption_lines(turn.due, len(aside))
    return TapPad(turn.due, columns_after(turn.last, turn.due), tuple(lay_aside(aside)), upper, lower, not turn.throws)


def describe_next_throw(turn: TappedTurn, name: str = "") -> str:
    """Return how many dice to throw on the table now; empty before the first throw, and for another try of a last die.

    `name`: of the player who throws, if the viewer looks on.
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
