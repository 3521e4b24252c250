"""A ruleset in prose, written from its settings: sentences that a twelve-year-old can play by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import money, number
from game.rules import Ruleset


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; `name` is its address in the page."""

    name: str
    title: str
    sentences: tuple[str, ...]


def sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """All settings in words, in the order in which they come up in a game. Sections without a word are left out."""
    told = (
        ("aim", _("What it is about"), aim(ruleset)),
        ("turn", _("Your turn"), turn(ruleset)),
        ("sets", _("What scores"), sets(ruleset)),
        ("in", _("Getting in, and the least you may bank"), minimums(ruleset)),
        ("six", _("When all six have scored"), sweep(ruleset)),
        ("last", _("The last die"), last_die(ruleset)),
        ("pick-up", _("Going on with the dice of the player before you"), pick_up(ruleset)),
        ("streak", _("Busts in a row"), streak(ruleset)),
        ("pot", _("The pot"), pot(ruleset)),
        ("end", _("The end"), end(ruleset)),
    )
    written = (Section(name, title, tuple(sentences)) for name, title, sentences in told)
    return tuple(section for section in written if section.sentences)


def aim(ruleset: Ruleset) -> Iterator[str]:
    yield _("You throw six dice and collect points. Whoever has the most points at the end wins.")
    yield _("The game is played to %(target)s points.") % {"target": number(ruleset.target)}
    others = [number(choice) for choice in ruleset.target_choices if choice != ruleset.target]
    if others:
        yield _("You can choose another target before you start or on the way, for example %(others)s.") % {
            "others": ", ".join(others)
        }
    else:
        yield _("You can choose another target before you start or on the way.")
    yield how_many(ruleset)
    yield who_begins(ruleset)


def how_many(ruleset: Ruleset) -> str:
    least, most = ruleset.min_players, ruleset.max_players
    if least == most:
        return ngettext("It is a game for %(n)s player.", "It is a game for exactly %(n)s players.", most) % {"n": most}
    if least == 1:
        return _("Up to %(n)s can play; you can also play alone, or against the computer.") % {"n": most}
    return _("%(least)s to %(most)s can play; the computer can be some of them.") % {"least": least, "most": most}


def who_begins(ruleset: Ruleset) -> str:
    if ruleset.first_player == "throw_for_it":
        return _(
            "To see who begins, everyone throws one die. The highest begins; those who tie for it throw again. "
            "After that it goes on in the order in which you sit."
        )
    return _("The first player on the list begins, and it goes on in the order of the list.")


def turn(ruleset: Ruleset) -> Iterator[str]:
    yield _("Throw all six dice. Then keep at least one die, or set of dice, that scores. You need not keep them all.")
    yield _("Now choose. Bank: the points of this turn are added to your score, and your turn is over.")
    yield _("Or throw the dice that you have not kept, to collect more points in the same turn.")
    yield _(
        "If a throw has nothing that scores, it is a bust: all points of this turn are lost, and the next player "
        "has a turn. What you banked before is safe."
    )
    yield _("You always throw at least once: a turn cannot be passed up.")


def sets(ruleset: Ruleset) -> Iterator[str]:
    yield _("The table shows what scores. A single die that is not in the table scores nothing by itself.")
    yield _(
        "The dice of a set must fall in one throw; dice kept earlier do not make a set larger. "
        "Where dice can be counted in more than one way, the way with the most points counts."
    )
    if ruleset.four_and_two_is_three_pairs and ruleset.three_pairs:
        yield _("Four alike and a pair count as three pairs.")
    elif ruleset.three_pairs:
        yield _("Three pairs are three different numbers: four alike and a pair are not three pairs.")
    if ruleset.three_pairs_across_throws and ruleset.three_pairs:
        yield across(ruleset)
    if ruleset.six_of_a_kind_wins:
        yield _(
            "Six alike in one throw win the whole game at once, if you keep them. Nobody gets another turn, "
            "and it does not matter whether you are in yet."
        )
    if ruleset.nothing_bonus:
        yield _(
            "If you throw all six dice and nothing scores, that is no bust: it scores %(n)s, and all six are "
            "thrown again."
        ) % {"n": number(ruleset.nothing_bonus)}


def across(ruleset: Ruleset) -> str:
    return _(
        "Three pairs may grow over several throws: if the dice you have kept since all six were last in your hand, "
        "together with the dice just thrown, make three pairs, you may keep them all as three pairs. They score "
        "%(n)s in place of the points of those dice kept before. Such a throw is no bust, even if its own "
        "dice score nothing. Dice that you took over from another player do not count for it."
    ) % {"n": number(ruleset.three_pairs)}


def minimums(ruleset: Ruleset) -> Iterator[str]:
    entry, bank = ruleset.entry_minimum, ruleset.bank_minimum
    if entry:
        yield _(
            "At first you are not in. To get in you need %(n)s points or more in one turn, and bank them; until then "
            "you cannot bank. All points of that turn count."
        ) % {"n": number(entry)}
        yield _("They need not come from one throw.")
    else:
        yield _("You are in with your first bank, however small it is.")
    if bank:
        yield _("Once you are in, you need at least %(n)s points in a turn to bank, in your last turn too.") % {
            "n": number(bank)
        }
    else:
        yield _("Once you are in, you may bank any number of points.")


def sweep(ruleset: Ruleset) -> Iterator[str]:
    yield _("When you have kept all six dice, in one throw or in several, all six are yours to throw again.")
    if ruleset.sweep == "must_throw":
        yield _("You have to throw them: you cannot bank at that moment. If you would rather bank, keep fewer dice.")
    else:
        yield _("You need not: you may also bank then.")
    yield _("Points go on adding up.")


def last_die(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.last_die_throws == 1:
        yield _("A single die that is left has one try, like any other throw: if it does not score, it is a bust.")
        return
    yield ngettext(
        "If a single die is left and you throw it, you have %(n)s try to make it score.",
        "If a single die is left and you throw it, you have %(n)s tries to make it score.",
        ruleset.last_die_throws,
    ) % {"n": ruleset.last_die_throws}
    yield _("You cannot bank between the tries. If the last one scores nothing either, it is a bust.")


def pick_up(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.pick_up:
        return
    yield _(
        "If the player before you has banked, you may begin with the dice that were left, and with the points that "
        "were banked, instead of with six dice and nothing. The player before you keeps those points, too."
    )
    yield _("If all six dice had been kept, you begin with all six, and with those points.")
    yield _(
        "You decide before your first throw. You must be in; it is never possible after a bust or in the first turn."
    )
    yield _("If you bank, all points go to your score, and the next player can go on from there.")
    yield _("If you bust, they are lost to you.")


def streak(ruleset: Ruleset) -> Iterator[str]:
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
    yield _("It counts only once you are in, and no score falls below 0.")


def pot(ruleset: Ruleset) -> Iterator[str]:
    if not (ruleset.ante or ruleset.bust_penalty):
        return
    if ruleset.ante:
        yield _("Everyone pays %(amount)s %(currency)s into the pot at the start; who joins later pays it, too.") % {
            "amount": money(ruleset.ante),
            "currency": ruleset.currency,
        }
    if ruleset.bust_penalty:
        yield _("Each bust adds %(amount)s %(currency)s, once you are in. A bust before that costs nothing.") % {
            "amount": money(ruleset.bust_penalty),
            "currency": ruleset.currency,
        }
    yield _("The winner takes the pot. If several win, they share it.")
    yield _("It is play money: nothing is ever charged. You can also play without it.")


def end(ruleset: Ruleset) -> Iterator[str]:
    target = {"target": number(ruleset.target)}
    if ruleset.ending == "at_once":
        yield _("The first player who has banked %(target)s points or more wins, there and then.") % target
        return
    if ruleset.ending == "complete_round":
        yield (
            _(
                "When somebody has banked %(target)s points or more, the round is played to its end, so that all have "
                "had the same number of turns. Then the highest score wins."
            )
            % target
        )
    else:
        yield (
            _(
                "When somebody has banked %(target)s points or more, everyone else has exactly one more turn, in "
                "order. Then the highest score wins, even if it is not the one that came first."
            )
            % target
        )
    yield tie(ruleset)


def tie(ruleset: Ruleset) -> str:
    return {
        "extra_rounds": _(
            "If several share the highest score, everyone plays one more round, and again, until "
            "one player alone is highest."
        ),
        "leader_stands": _(
            "If several share the highest score, the one who reached it first wins: a score has to be beaten."
        ),
        "shared": _("If several share the highest score, they share the win."),
    }[ruleset.tie]
