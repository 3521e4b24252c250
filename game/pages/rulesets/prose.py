"""A ruleset in prose, written from its settings: sentences that a twelve-year-old can play by."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import format_money, number
from game.pages.rulesets.labels import find_choice
from game.rules import Ruleset


@dataclass(frozen=True)
class Section:
    """A heading and its sentences; `name` is its address in the page."""

    name: str
    title: str
    sentences: tuple[str, ...]


def write_sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """Return all settings in words, in the order in which they come up in a game. Empty sections are left out."""
    sections = (
        ("aim", _("The aim"), _write_aim(ruleset)),
        ("turn", _("Your turn"), _write_turn()),
        ("sets", _("What scores"), _write_sets(ruleset)),
        ("in", _("Getting on the board, and the minimum to bank"), _write_minimums(ruleset)),
        ("six", _("Hot dice"), _write_sweep(ruleset)),
        ("last", _("The last die"), _write_last_die(ruleset)),
        ("pick-up", _("Picking up the last player’s dice"), _write_pick_up(ruleset)),
        ("streak", _("Busts in a row"), _write_streak(ruleset)),
        ("pot", _("The pot"), _write_pot(ruleset)),
        ("end", _("The end"), _write_end(ruleset)),
    )
    written = (Section(name, title, tuple(sentences)) for name, title, sentences in sections)
    return tuple(section for section in written if section.sentences)


def _write_aim(ruleset: Ruleset) -> Iterator[str]:
    yield _("Throw six dice and collect points. The most points at the end wins.")
    yield _("The game is played to %(target)s points.") % {"target": number(ruleset.target)}
    others = [number(choice) for choice in ruleset.target_choices if choice != ruleset.target]
    if others:
        yield _("You can choose another target before or during the game, for example %(others)s.") % {
            "others": ", ".join(others)
        }
    else:
        yield _("You can choose another target before or during the game.")
    yield _describe_players(ruleset)
    yield str(find_choice("first_player", ruleset.first_player).sentence)


def _describe_players(ruleset: Ruleset) -> str:
    least, most = ruleset.min_players, ruleset.max_players
    if least == most:
        return ngettext("It is a game for %(n)s player.", "It is a game for exactly %(n)s players.", most) % {"n": most}
    if least == 1:
        return _("Up to %(n)s can play. You can also play alone, or against the computer.") % {"n": most}
    return _("%(least)s to %(most)s can play; some of them can be computers.") % {"least": least, "most": most}


def _write_turn() -> Iterator[str]:
    yield _(
        "Throw all six dice. Then set aside at least one die, or set of dice, that scores. "
        "You don’t have to keep everything that scores."
    )
    yield _("Now choose. Bank: your points are added to your score, and your turn is over.")
    yield _("Or throw the dice you have not kept, to collect more points in the same turn.")
    yield _(
        "If nothing in a throw scores, it’s a bust: you lose all points of this turn, and the next player throws. "
        "What you have banked is safe."
    )
    yield _("You can’t skip a turn: you must throw at least once.")


def _write_sets(ruleset: Ruleset) -> Iterator[str]:
    yield _("The table shows what scores. A single die that is not in the table scores nothing by itself.")
    yield _(
        "The dice of a set must fall in one throw; dice kept earlier do not make a set larger. "
        "Where dice can be counted in more than one way, the way with the most points counts."
    )
    if ruleset.four_and_two_is_three_pairs and ruleset.three_pairs:
        yield _("Four of a kind and a pair count as three pairs.")
    elif ruleset.three_pairs:
        yield _("Three pairs are three different numbers: four of a kind and a pair are not three pairs.")
    if ruleset.three_pairs_across_throws and ruleset.three_pairs:
        yield from _write_three_pairs_across_throws(ruleset)
    if ruleset.six_of_a_kind_wins:
        yield _(
            "Six of a kind in one throw wins the whole game at once, if you keep them all. Nobody gets another turn, "
            "and you can win like this even before you are on the board."
        )
    if ruleset.nothing_bonus:
        yield _(
            "If you throw all six dice and nothing scores, that is not a bust: it scores %(n)s, and you throw all "
            "six again."
        ) % {"n": number(ruleset.nothing_bonus)}


def _write_three_pairs_across_throws(ruleset: Ruleset) -> Iterator[str]:
    yield _(
        "Three pairs can grow over several throws, from the dice you have kept since you last threw all six. "
        "If you have kept 1 1 5 and throw 3 3 5, you may keep them all as three pairs."
    )
    yield _(
        "They score %(n)s in place of the points of those kept dice. Such a throw is not a bust, even if its own dice "
        "score nothing."
    ) % {"n": number(ruleset.three_pairs)}
    yield _("Dice you picked up from another player don’t count towards them.")


def _write_minimums(ruleset: Ruleset) -> Iterator[str]:
    entry, bank = ruleset.entry_minimum, ruleset.bank_minimum
    if entry:
        yield _(
            "Your first bank must be worth at least %(n)s points from a single turn. Until then you can’t bank."
        ) % {"n": number(entry)}
        yield _("They can come from several throws of that turn, and all its points count.")
    else:
        yield _("Your first bank puts you on the board, however small it is.")
    if bank:
        yield _("Once you are on the board, you need at least %(n)s points to bank, in your last turn too.") % {
            "n": number(bank)
        }
    else:
        yield _("Once you are on the board, you may bank any number of points.")


def _write_sweep(ruleset: Ruleset) -> Iterator[str]:
    yield _("When you have kept all six dice, in one throw or in several, you have hot dice.")
    yield str(find_choice("sweep", ruleset.sweep).sentence)
    yield _("Your points keep adding up.")


def _write_last_die(ruleset: Ruleset) -> Iterator[str]:
    yield str(find_choice("last_die_throws", ruleset.last_die_throws).sentence)
    if ruleset.last_die_throws == 1:
        yield _("If it does not score, it’s a bust.")
    else:
        yield _("If the last try does not score either, it’s a bust.")


def _write_pick_up(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.pick_up:
        return
    yield _(
        "If the player before you has banked, you may start with the dice they left and the points they banked, "
        "instead of with six dice and nothing. They keep those points too."
    )
    yield _("If they had kept all six dice, you start with all six, and with those points.")
    yield _("You decide before your first throw, and you must be on the board. It is not possible after a bust.")
    yield _("If you bank, all the points go to your score, and the next player can pick up from there.")
    yield _("If you bust, you lose them.")


def _write_streak(ruleset: Ruleset) -> Iterator[str]:
    if not (ruleset.bust_streak and ruleset.bust_streak_penalty):
        return
    values = {"n": ruleset.bust_streak, "points": number(ruleset.bust_streak_penalty)}
    yield (
        ngettext(
            "Each bust costs you %(points)s points of your score.",
            "%(n)s busts in a row cost you %(points)s points of your score. Then the count starts again.",
            ruleset.bust_streak,
        )
        % values
    )
    yield _("It counts only once you are on the board, and no score falls below 0.")


def _write_pot(ruleset: Ruleset) -> Iterator[str]:
    if not (ruleset.ante or ruleset.bust_penalty):
        return
    if ruleset.ante:
        yield _(
            "Everyone pays %(amount)s %(currency)s into the pot at the start, and so does anyone who joins later."
        ) % {
            "amount": format_money(ruleset.ante),
            "currency": ruleset.currency,
        }
    if ruleset.bust_penalty:
        yield _("Once you are on the board, each bust adds %(amount)s %(currency)s. Before that a bust is free.") % {
            "amount": format_money(ruleset.bust_penalty),
            "currency": ruleset.currency,
        }
    yield _("The winner takes the pot. If several win, they share it.")
    yield _("It is play money: nothing is ever charged. You can also play without it.")


def _write_end(ruleset: Ruleset) -> Iterator[str]:
    yield str(find_choice("ending", ruleset.ending).sentence)
    if ruleset.ending != "at_once":
        yield str(find_choice("tie", ruleset.tie).sentence)
