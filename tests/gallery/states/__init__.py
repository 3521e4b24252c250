"""Every state of the game page by its name, each made as a variation of one decision."""

from collections.abc import Callable

from game.pages.board.components import Board
from tests.gallery.states import beginning, choosing, players, whole

STATES: dict[str, Callable[[], Board]] = {
    "decision": choosing.decision,
    "released": choosing.released,
    "start": beginning.start,
    "fresh": beginning.fresh,
    "pickup": beginning.pickup,
    "bust": beginning.bust,
    "tries": beginning.tries,
    "grows": choosing.grows,
    "proving": choosing.proving,
    "sweep": beginning.sweep,
    "other": players.other,
    "computer": players.computer,
    "finished": whole.finished,
    "manual": beginning.manual,
    "tie": whole.tie,
    "pot": whole.pot,
    "error": whole.error,
    "eight": players.eight,
    "many": players.many,
    "long": players.long_names,
    "rtl": players.rtl_names,
    "free": choosing.free,
    "entry": choosing.entry,
    "ways": choosing.ways_many,
    "win": choosing.win,
}
