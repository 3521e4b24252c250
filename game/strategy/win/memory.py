"""How much memory it takes to solve a table at every score, estimated before anything is solved."""

from math import prod

from game.strategy.win.race import Race
from game.strategy.win.race_solver import ITERATIONS_MIXED
from game.strategy.win.rounds import count_gains, lay_out_table

# Bytes of a number: of a chance; of a gain (what picking up adds) where scores can fall, and where rounds end the game;
# and of a gain while it is packed, where that is not done a part at a time.
CHANCE, GAIN_WHERE_SCORES_FALL, GAIN_OF_ROUNDS, PACKED_GAIN = 8, 4, 4, 3
# How many arrays of the size of the chances there are besides them: slopes, the values of busts, what has changed, the
# guess, and two for each iteration.
BESIDE, BESIDE_WHERE_SCORES_FALL = 3, 9 + 2 * (ITERATIONS_MIXED + 1)
# Where rounds end the game, this many arrays describe the standings that are solved at a time.
OF_STANDINGS = 20


def estimate_bytes(race: Race) -> int:
    """Estimate the memory that solving a race at every score takes, in bytes, besides that of the program itself."""
    if race.ending == "rounds":
        _, (shots, *entered, streaks, other_streaks, lows, places) = lay_out_table(race)
        standings = streaks * other_streaks * lows * places
        offers = prod(count_gains(race)) if race.has_offers else 0
        return CHANCE * standings * (shots * prod(entered) + OF_STANDINGS) + GAIN_OF_ROUNDS * offers
    beside = BESIDE_WHERE_SCORES_FALL if race.may_fall else BESIDE
    return CHANCE * race.planes * race.places**2 * (1 + beside) + _estimate_offers(race)


def _estimate_offers(race: Race) -> int:
    if not race.has_offers:
        return 0
    points = 1 if race.offer_worth else race.places // 2  # on average: as many as the other player has at most
    gains = race.offer_kinds * race.places**2 * points * race.graph.ruleset.dice
    return gains * ((GAIN_WHERE_SCORES_FALL if race.may_fall else CHANCE) + PACKED_GAIN)
