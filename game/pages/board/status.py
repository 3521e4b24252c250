"""What the page says: the status above the dice, a tip, and the one sentence for screen readers after an action."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from game.history.replay import start_throws
from game.models import ShotRow
from game.pages.board.announcements import tell, tell_of_the_table
from game.pages.parts.choices import best_keep, gain, left_after, risk
from game.pages.parts.components import StatusText, Tray
from game.pages.parts.text import dice_count, faces, money, number, percent, winner_sentence
from game.pages.parts.view_of_game import Facts
from game.rules import Bank, Win, events, points_with
from game.rules.events import Event


def say(facts: Facts, dice: Tray | None, note: str) -> StatusText:
    """`note`: what was just done beside the dice, which then stands where the throw is told otherwise."""
    state = facts.state
    if state.finished:
        return StatusText(winner_sentence(state, facts.by_six_alike), "")
    name = state.players[state.player].name
    title = heading(facts) % {"name": name}
    if not facts.throws:
        return StatusText(title, note or before(facts, name), tip_after_bust(facts))
    return StatusText(title, note or with_the_next(facts, during(facts, dice)), first_turns_tip(facts, dice))


def heading(facts: Facts) -> str:
    if facts.yours:
        return _("Your turn, %(name)s")
    return _("%(name)s’s turn") if facts.state.by_hand else _("%(name)s is deciding")


def with_the_next(facts: Facts, told: str) -> str:
    """Whoever waits on another device learns that the next turn is theirs."""
    return " · ".join(filter(None, (told, _("You are next.")))) if facts.next_is_yours else told


def note_of(facts: Facts, said: str, happened: Sequence[Event]) -> str:
    return said or tell_of_the_table(happened, facts.state)


def before(facts: Facts, name: str) -> str:
    """How the turn before ended, whom to hand the device to, and whose turn comes after this one."""
    said = list(filter(None, [ending(facts, facts.previous) if facts.previous else thrown_for_it(facts)]))
    if facts.yours and facts.previous and facts.previous.player.seat in facts.people - {facts.state.player}:
        said.append(_("Pass to %(name)s.") % {"name": name})
    if facts.next_is_yours:
        said.append(_("You are next."))
    return " ".join(said)


def thrown_for_it(facts: Facts) -> str:
    """Why this player begins, where the rules leave it to the dice. Those who tied threw again."""
    if facts.state.ruleset.first_player != "throw_for_it":
        return ""
    seats, rounds = list(range(len(facts.state.players))), []
    for throw in start_throws(facts.game):
        fallen = list(zip(seats, throw.faces, strict=False))  # who joined since has not thrown
        rounds.append(", ".join(f"{facts.state.players[seat].name} {face}" for seat, face in fallen))
        seats = [seat for seat, face in fallen if face == max(throw.faces)]
    return _("Thrown for who begins: %(throws)s.") % {"throws": "; ".join(rounds)} if rounds else ""


def ending(facts: Facts, shot: ShotRow) -> str:
    said = {"name": shot.player.name, "points": number(shot.points)}
    match shot.outcome:
        case ShotRow.Outcome.BANK:
            return _("%(name)s banked %(points)s.") % said
        case ShotRow.Outcome.BUST:
            return bust(facts, shot)
        case ShotRow.Outcome.OUT:
            return _("%(name)s stepped out.") % said
    return _("%(name)s was skipped.") % said


def bust(facts: Facts, shot: ShotRow) -> str:
    """Named, because the heading already speaks of the next player; with the coin that it cost."""
    said = {"name": shot.player.name, "points": number(shot.points)}
    text = _("%(name)s: bust, %(points)s points lost.") if shot.points else _("%(name)s: bust.")
    coins = facts.state.ruleset.bust_penalty
    if coins and shot.player.entered:
        text += " " + _("%(amount)s goes into the pot.") % {"amount": money(coins)}
    return text % said


def during(facts: Facts, dice: Tray | None) -> str:
    shot = facts.running
    if shot.tries and not shot.dice:
        return _("Try %(k)s of 3 with one die.") % {"k": shot.tries + 1}
    if facts.plan:
        return planned(facts)
    if dice and dice.choices:
        return dice.choices["".join(map(str, sorted(d.face for d in dice.dice if d.checked)))].detail
    return _("Throw %(k)s") % {"k": shot.throws}


def planned(facts: Facts) -> str:
    """What a computer is about to do, so that it can be followed."""
    keep = facts.plan_keep
    assert keep is not None and facts.plan is not None  # asked for only while a computer has dice to keep
    left, _aside = left_after(facts, keep)
    said = {
        "name": facts.state.players[facts.state.player].name,
        "points": number(gain(facts, keep)),
        "total": number(points_with(facts.running, keep)),
        "dice": dice_count(left),
    }
    if isinstance(facts.plan, Win):
        return _("%(name)s keeps six alike.") % said
    if isinstance(facts.plan, Bank):
        return _("%(name)s keeps %(points)s and banks %(total)s.") % said
    return _("%(name)s keeps %(points)s and throws %(dice)s.") % said


def first_turns_tip(facts: Facts, dice: Tray | None) -> str:
    """One line of coaching in each of the first three turns, for whoever is at the dice."""
    state = facts.state
    if not facts.yours or state.round > 3 or facts.hints == "off":
        return ""
    if state.round == 1 and dice and any(die.look == "opt" for die in dice.dice):
        return _("Gold dice are yours to keep or throw again. Tap one and watch the numbers.")
    if state.round < 3 or state.players[state.player].entered or not state.ruleset.entry_minimum:
        return _("Bank adds your points to your score. Throw risks them.")
    return _("You need %(min)s in one turn to get in.") % {"min": number(state.ruleset.entry_minimum)}


def tips() -> tuple[str, ...]:
    return (
        _(
            "You need not keep all dice that score. "
            "One 1 and five dice to throw is often better than 150 points and four dice."
        ),
        _("With one or two dice left, most throws bust or nearly so: 67% and 44%."),
        _("When you trail far behind, take more risk. When you lead, bank more often."),
        _("Five dice bust only one time in thirteen."),
        _("If all six score you throw all six again. Keeping the last die can be worth more than its points."),
    )


def tip_after_bust(facts: Facts) -> str:
    last = facts.previous
    if last is None or last.outcome != ShotRow.Outcome.BUST or facts.hints == "off":
        return ""
    return tips()[last.place % len(tips())]


# ── announcements ──


def live(facts: Facts, happened: Sequence[Event]) -> str:
    """What a screen reader says after an action: what happened, and what can be done now."""
    dice_lie_there = facts.yours and facts.throws and facts.running.dice
    if dice_lie_there and not tell_of_the_table(happened, facts.state):
        return decision(facts, facts.throws[-1].faces)
    told = tell(happened, facts.state, facts.people)
    passed = any(isinstance(event, events.Banked | events.Bust) for event in happened)
    if passed and not facts.state.finished and len(facts.state.players) > 1:
        name = facts.state.players[facts.state.player].name
        return f"{told} " + _("%(name)s is next.") % {"name": name}
    return told


def decision(facts: Facts, thrown: Sequence[int]) -> str:
    keep = best_keep(facts)
    left, aside = left_after(facts, keep)
    return _(
        "You threw %(dice)s: keeping %(kept)s is %(points)s points, %(total)s in all, "
        "with %(left)s to throw and %(risk)s bust risk."
    ) % {
        "dice": faces(thrown),
        "kept": faces(keep.dice),
        "points": number(gain(facts, keep)),
        "total": number(points_with(facts.running, keep)),
        "left": dice_count(left),
        "risk": percent(risk(facts, left, aside)),
    }
