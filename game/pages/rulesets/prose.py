"""A ruleset in prose, written from its settings: sentences that a twelve-year-old can play by."""

from collections.abc import Iterator
from dataclasses import dataclass

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice_count, format_money, join_names, name_all_dice, number
from game.pages.rulesets.choices import find_choice
from game.pages.rulesets.labels import CONFIRM_KINDS
from game.pages.rulesets.patterns import describe_effect
from game.rules import Ruleset
from game.rules.totals import may_bank_sweep


@dataclass(frozen=True)
class Section:
    """A heading and its sentences; `name` is the section's anchor in the page."""

    name: str
    title: str
    sentences: tuple[str, ...]


def write_sections(ruleset: Ruleset, *, named: bool = True) -> tuple[Section, ...]:
    """Return all settings in words, in the order in which they come up in a game. Empty sections are left out.

    `named`: False if users' own names for combinations may not be shown.
    """
    sections = (
        ("aim", _("The aim"), _write_aim(ruleset)),
        ("turn", _("Your turn"), _write_turn(ruleset)),
        ("sets", _("What scores"), _write_sets(ruleset, named)),
        ("nothing", _("When nothing scores"), _write_nothing(ruleset)),
        ("in", _("Getting on the board, and the minimum to bank"), _write_minimums(ruleset)),
        ("prove", _("Proving points"), _write_proofs(ruleset)),
        ("six", _("Hot dice"), _write_sweep(ruleset)),
        ("last", _("The last die"), _write_last_die(ruleset)),
        ("pick-up", _("Picking up the last player’s dice"), _write_pick_up(ruleset)),
        ("streak", _("Busts in a row"), _write_streak(ruleset)),
        ("below", _("Scores below 0"), _write_below_zero(ruleset)),
        ("pot", _("The pot"), _write_pot(ruleset)),
        ("end", _("The end"), _write_end(ruleset)),
    )
    written = (Section(name, title, tuple(sentences)) for name, title, sentences in sections)
    return tuple(section for section in written if section.sentences)


def _write_aim(ruleset: Ruleset) -> Iterator[str]:
    yield _("Throw %(all)s dice and collect points. The most points at the end wins.") % _all_dice(ruleset)
    if ruleset.ending == "rounds":
        yield ngettext("The game has %(n)s round.", "The game has %(n)s rounds.", ruleset.rounds) % {
            "n": ruleset.rounds
        }
    else:
        yield from _write_target(ruleset)
    yield _describe_players(ruleset)
    yield str(find_choice("first_player", ruleset.first_player).sentence)


def _all_dice(ruleset: Ruleset) -> dict[str, str]:
    return {"all": name_all_dice(ruleset.dice)}


def _write_target(ruleset: Ruleset) -> Iterator[str]:
    yield _("The game is played to %(target)s points.") % {"target": number(ruleset.target)}
    if ruleset.exact != "no":
        yield str(find_choice("exact", ruleset.exact).sentence)
        minimums = ruleset.bank_minimum or ruleset.bank_step or ruleset.bank_dice_left_most
        if minimums or ruleset.confirm or ruleset.sweep == "must_throw":
            yield _(
                "Once you are on the board, you may always bank what brings you to exactly the target: "
                "no minimum applies then, and hot dice need not be thrown again."
            )
    others = [number(choice) for choice in ruleset.target_choices if choice != ruleset.target]
    if others:
        yield _("You can choose another target before or during the game, for example %(others)s.") % {
            "others": ", ".join(others)
        }
    else:
        yield _("You can choose another target before or during the game.")


def _describe_players(ruleset: Ruleset) -> str:
    least, most = ruleset.min_players, ruleset.max_players
    if least == most:
        return ngettext("It is a game for %(n)s player.", "It is a game for exactly %(n)s players.", most) % {"n": most}
    if least == 1:
        return _("Up to %(n)s can play. You can also play alone, or against the computer.") % {"n": most}
    return _("%(least)s to %(most)s can play; some of them can be computers.") % {"least": least, "most": most}


def _write_turn(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.must_keep == "all":
        yield _(
            "Throw all %(all)s dice. Then set aside every die that scores. "
            "Where dice can score in one way or another, but not both, you choose."
        ) % _all_dice(ruleset)
    else:
        yield _(
            "Throw all %(all)s dice. Then set aside at least one die, or set of dice, that scores. "
            "You don’t have to keep everything that scores."
        ) % _all_dice(ruleset)
    yield _("Now choose. Bank: your points are added to your score, and your turn is over.")
    if ruleset.throws_most != 1:
        yield _("Or throw the dice you have not kept, to collect more points in the same turn.")
    yield _("If nothing in a throw scores, it’s a bust: you lose all points of this turn, and the next player throws.")
    if not ruleset.busts_may_cost:
        yield _("What you have banked is safe.")
    yield _("You can’t skip a turn: you must throw at least once.")
    if ruleset.throws_most:
        yield ngettext(
            "A turn has %(n)s throw. After it you must bank; if you can’t, it’s a bust.",
            "A turn has at most %(n)s throws. After the last one you must bank; if you can’t, it’s a bust.",
            ruleset.throws_most,
        ) % {"n": ruleset.throws_most}
    if ruleset.lone_five == "rethrow":
        yield str(find_choice("lone_five", "rethrow").sentence)


def _write_sets(ruleset: Ruleset, named: bool) -> Iterator[str]:
    yield _("The table shows what scores. A single die that is not in the table scores nothing by itself.")
    across = ruleset.three_pairs_across_throws and ruleset.three_pairs
    if across:
        yield _(
            "Except for three pairs, the dice of a set must fall in one throw; "
            "dice kept earlier do not make a set larger."
        )
    elif ruleset.sets_grow == "never":
        yield _("The dice of a set must fall in one throw; dice kept earlier do not make a set larger.")
    else:
        yield _("The dice of a set must fall in one throw.")
        yield _(
            "Three or more of a kind can grow: while they are set aside, matching dice from later throws may join them "
            "and score the extra that the larger set is worth. A throw that only makes a set grow is not a bust."
        )
    yield _("Where dice can be counted in more than one way, the way with the most points counts.")
    if ruleset.sets_need_all_dice:
        yield _("Sets only score when you throw all %(all)s dice. With fewer, only single dice do.") % _all_dice(
            ruleset
        )
    yield from (describe_effect(made, named=named) for made in ruleset.combinations if made.effect)
    if ruleset.four_and_two_is_three_pairs and ruleset.three_pairs:
        yield _("Four of a kind and a pair count as three pairs.")
    elif ruleset.three_pairs:
        yield _("Three pairs are three different numbers: four of a kind and a pair are not three pairs.")
    if across:
        yield from _write_three_pairs_across_throws(ruleset)
    if ruleset.six_of_a_kind_wins:
        yield _(
            "Six of a kind in one throw wins the whole game at once, if you keep them all. Nobody gets another turn, "
            "and you can win like this even before you are on the board."
        )


def _write_nothing(ruleset: Ruleset) -> Iterator[str]:
    sentence = ""
    if ruleset.nothing == "again" and ruleset.nothing_bonus:
        sentence = _(
            "If you throw all %(all)s dice and nothing scores, that is not a bust: it scores %(n)s. "
            "You must throw all %(all)s again before you can bank."
        )
    elif ruleset.nothing == "again":
        sentence = _(
            "If you throw all %(all)s dice and nothing scores, that is not a bust: you throw all %(all)s again."
        )
    elif ruleset.nothing_bonus:
        sentence = _(
            "If you throw all %(all)s dice and nothing scores, that is not a bust: it scores %(n)s, "
            "and you have hot dice."
        )
    elif ruleset.nothing_cost:
        sentence = _(
            "If you throw all %(all)s dice and nothing scores, it’s a bust "
            "that also takes %(cost)s points off your score."
        )
    if sentence:
        values = {"n": number(ruleset.nothing_bonus), "cost": number(ruleset.nothing_cost)}
        yield sentence % {**_all_dice(ruleset), **values}
    if ruleset.nothing_when == "first_throw":
        yield _("This applies only to the first throw of a turn.")


def _write_three_pairs_across_throws(ruleset: Ruleset) -> Iterator[str]:
    yield _(
        "Three pairs can grow over several throws, from the dice you have kept since you last threw all six. "
        "If you have kept 1 1 5 and throw 3 3 5, you may keep them all as three pairs."
    )
    yield _(
        "They score %(n)s in place of the points of those kept dice. Such a throw is not a bust, even if its own dice "
        "score nothing."
    ) % {"n": number(ruleset.three_pairs)}
    if ruleset.pick_up:
        yield _("Dice you picked up from another player don’t count towards them.")


def _write_minimums(ruleset: Ruleset) -> Iterator[str]:
    entry, bank = ruleset.least_first_bank, ruleset.least_bank
    if entry:
        yield ngettext(
            "Your first bank must be worth at least %(n)s point from a single turn. Until then you can’t bank.",
            "Your first bank must be worth at least %(n)s points from a single turn. Until then you can’t bank.",
            entry,
        ) % {"n": number(entry)}
        if ruleset.entry_in == "throw":
            yield str(find_choice("entry_in", "throw").sentence)
        else:
            yield _("They can come from several throws of that turn, and all its points count.")
    else:
        yield _("Your first bank puts you on the board, however small it is.")
    if ruleset.entry_needs != "any":
        yield str(find_choice("entry_needs", ruleset.entry_needs).sentence)
    if bank:
        yield ngettext(
            "Once you are on the board, you need at least %(n)s point to bank, in your last turn too.",
            "Once you are on the board, you need at least %(n)s points to bank, in your last turn too.",
            bank,
        ) % {"n": number(bank)}
    elif not ruleset.bank_step:
        yield _("Once you are on the board, you may bank any number of points.")
    if ruleset.bank_step:
        yield _("You can only bank a multiple of %(n)s points.") % {"n": number(ruleset.bank_step)}
    if ruleset.bank_dice_left_most:
        yield _("You can bank with at most %(dice)s left. With more, throw again.") % {
            "dice": format_dice_count(ruleset.bank_dice_left_most)
        }


def _write_proofs(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.confirm:
        return
    kinds = join_names([str(CONFIRM_KINDS[kind]) for kind in ruleset.confirm])
    yield _("To be proved: %(kinds)s. After any of these you can’t bank until you have kept something more.") % {
        "kinds": kinds
    }
    if isinstance(ruleset.confirm_by, int):
        yield _("Later keeps worth at least %(n)s points in total prove them.") % {"n": number(ruleset.confirm_by)}
    else:
        yield str(find_choice("confirm_by", ruleset.confirm_by).sentence)


def _write_sweep(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.throws_most == 1:
        return
    yield _("When you have kept all %(all)s dice, in one throw or in several, you have hot dice.") % _all_dice(ruleset)
    if ruleset.after_sweep == "must_throw" and ruleset.must_keep == "all":
        yield _("You must throw all dice again.")  # keeping fewer dice, to bank instead, is not allowed
    else:
        yield str(find_choice("sweep", ruleset.after_sweep).sentence)
    if ruleset.after_sweep == "must_throw" and ruleset.throws_most and "sweep" not in ruleset.confirm:
        yield _("After the last throw of a turn you may bank hot dice.")
    yield _("Your points keep adding up.")
    if ruleset.sweep_multiplier > 1:
        yield _("After hot dice, everything you keep in the same turn counts twice.")
    if ruleset.sweep_multiplier > 2:
        yield ngettext(
            "Each time you get hot dice again, it counts one more time, up to %(n)s time.",
            "Each time you get hot dice again, it counts one more time, up to %(n)s times.",
            ruleset.sweep_multiplier,
        ) % {"n": ruleset.sweep_multiplier}


def _write_last_die(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.throws_most == 1:
        return
    yield str(find_choice("last_die_throws", ruleset.last_die_throws).sentence)
    if ruleset.last_die_throws == 1:
        yield _("If it does not score, it’s a bust.")
    else:
        yield _("If the last try does not score either, it’s a bust.")


def _write_pick_up(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.pick_up:
        return
    values = _all_dice(ruleset)
    if isinstance(ruleset.pick_up_worth, int):
        values["points"] = number(ruleset.pick_up_worth)
        sentence = _(
            "If the player before you has banked, you may start with the dice they left and %(points)s points, "
            "instead of with %(all)s dice and nothing. They keep what they banked."
        )
    else:
        sentence = _(
            "If the player before you has banked, you may start with the dice they left "
            "and the points they banked, instead of with %(all)s dice and nothing. They keep those points too."
        )
    yield sentence % values
    if may_bank_sweep(ruleset, at_target=False) and "sweep" not in ruleset.confirm:
        yield _("If they had kept all %(all)s dice, you start with all %(all)s, and with those points.") % values
    if ruleset.pick_up_by == "all":
        yield _("You decide before your first throw. After a bust there is nothing to pick up.")
        yield _("You don’t have to be on the board: the points count for your first bank.")
    else:
        yield _(
            "You decide before your first throw, and you must be on the board. "
            "After a bust there is nothing to pick up."
        )
    yield _("If you bank, all the points go to your score, and the next player can pick up from there.")
    if ruleset.pick_up_cost:
        yield _("If you bust, you lose them, and %(n)s points come off your score.") % {
            "n": number(ruleset.pick_up_cost)
        }
    else:
        yield _("If you bust, you lose them.")


def _write_streak(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.streak_costs:
        return
    n, values = ruleset.bust_streak, {"n": ruleset.bust_streak, "points": number(ruleset.bust_streak_penalty)}
    match ruleset.bust_cost:
        case "shot":
            sentence = ngettext(
                "Each bust takes as many points off your score as the turn had gathered.",
                "%(n)s busts in a row take as many points off your score as the last of these turns had gathered. "
                "Then the count starts again.",
                n,
            )
        case "everything":
            sentence = ngettext(
                "Each bust costs you your whole score.",
                "%(n)s busts in a row cost you your whole score. Then the count starts again.",
                n,
            )
        case _:
            sentence = ngettext(
                "Each bust takes %(points)s points off your score.",
                "%(n)s busts in a row take %(points)s points off your score. Then the count starts again.",
                n,
            )
    yield sentence % values
    if ruleset.below_zero == "never":
        yield _("This applies only when you are on the board, and no score falls below 0.")
    elif ruleset.below_zero == "entered":
        yield _("This applies only when you are on the board.")


def _write_below_zero(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.busts_may_cost and not (ruleset.streak_costs and ruleset.below_zero == "never"):  # else said already
        yield str(find_choice("below_zero", ruleset.below_zero).sentence)


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
        yield _("Once you are on the board, each bust adds %(amount)s %(currency)s. Before that it adds nothing.") % {
            "amount": format_money(ruleset.bust_penalty),
            "currency": ruleset.currency,
        }
    yield _("The winner takes the pot. If several players win, they share it.")
    yield _("It is play money: nothing is ever charged. You can also play without it.")


def _write_end(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.ending == "rounds":
        yield ngettext(
            "After %(n)s round the highest score wins.", "After %(n)s rounds the highest score wins.", ruleset.rounds
        ) % {"n": ruleset.rounds}
    else:
        yield str(find_choice("ending", ruleset.ending).sentence)
    if ruleset.ending != "at_once":
        yield str(find_choice("tie", ruleset.tie).sentence)
