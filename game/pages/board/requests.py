"""What people on several devices settle among themselves: a turn to undo, somebody who went away, a rematch."""

from collections.abc import Mapping, Sequence

from game import history, services
from game.live import Presence
from game.models import Game, Player
from game.pages.board.components import AbsenceNotice, RematchCall, UndoRequest
from game.pages.parts.components import Banner
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import join_names, number
from game.pages.parts.turn_log import describe_change
from game.pages.parts.view_of_game import ViewerGame
from game.rules import State


def mark_presence(presence: Presence, is_silent: bool) -> str:
    """Return a string that changes when somebody comes or goes, or has kept the others waiting too long."""
    return presence.mark + ("w" if is_silent else "")


def build_undo_request(game: ViewerGame) -> UndoRequest | None:
    """Return the pending question, which other devices than the asking one can answer; None if there is none."""
    asking, row = game.row.asking, game.row
    if asking is None or game.is_abandoned:
        return None
    own = asking.seat in game.held
    viewer = next((game.players[seat].visitor_id for seat in game.held), None)  # also while a computer stands in
    cancels_shot = row.question == "undo" and not own and not row.draft  # an undo cancels a draft first, which is none
    return UndoRequest(
        asking=asking,
        kind=row.question,
        shot=history.find_undoable_shot(row) if cancels_shot else None,
        is_running=bool(row.draft),
        url=game.address("undo/answer"),
        question=services.name_question(row),
        allows=services.may_allow(row, viewer),
        withdraws=own,
    )


def build_absence(game: ViewerGame) -> AbsenceNotice | None:
    """Return what to do about somebody on another device who is due and has done nothing for minutes.

    The host may continue without them; the others only read so. A viewer who is back may take over from the computer.
    """
    if game.is_over or not (game.held or game.is_host):
        return None
    handed = [seat for seat in sorted(game.held - game.people) if game.players[seat].is_person]
    if handed:
        return welcome_back(game, handed)
    if game.computer_due or game.is_yours or not services.is_silent(game.row):
        return None
    values = {"name": game.name_due}
    if game.is_host:
        return AbsenceNotice(
            text=_("%(name)s seems to be away. Wait, or carry on without them?") % values,
            url=game.address("skip"),
            hand=_("Let the computer play for %(name)s") % values,
        )
    if game.players[game.state.player].visitor_id == services.host_of(game.row):
        text = _("The host, %(name)s, seems to be away. After 10 minutes someone else takes over.")
    else:
        text = _("%(name)s seems to be away. The host can continue without them.")
    return AbsenceNotice(text % values, "", "")


def describe_last_round(state: State, values: Mapping[str, str], *, yours: bool) -> str:
    """Return the line over the last of a fixed number of rounds.

    `values`: the name and score of the leader; `yours`: the leader is the only person who plays.
    """
    if len(state.players) == 1:
        return _("Last round. This is your last turn.")
    if yours:
        return _("Last round: the highest score wins. You have %(score)s.") % values
    return _("Last round: the highest score wins. %(name)s has %(score)s.") % values


def welcome_back(game: ViewerGame, handed: Sequence[int]) -> AbsenceNotice:
    """Return what a computer has done for a person of this device meanwhile, with the offer to take over.

    `handed`: the seats of this device that a computer plays for a person; the notice is about the first of them.
    """
    player = game.players[handed[0]]
    n = history.count_turns_since_handed(game.row, player)
    alone = not game.people and len(handed) == 1
    if not n:
        text = _("The computer is playing for you.") if alone else _("The computer is playing for %(name)s.")
    elif alone:
        text = ngettext("The computer played %(n)s turn for you.", "The computer played %(n)s turns for you.", n)
    else:
        text = ngettext(
            "The computer played %(n)s turn for %(name)s.", "The computer played %(n)s turns for %(name)s.", n
        )
    values = {"n": n, "name": player.name}
    return AbsenceNotice(text % values, game.address("hand"), _("Take over"), seat=player.seat)


def build_rematch_call(game: ViewerGame) -> RematchCall | None:
    """Return the call to a rematch; None if there is none yet, and for whoever opened it."""
    if game.rematch is None:
        return None
    starter = find_starter(game, game.rematch)
    if starter and starter.seat in game.held:
        return None
    return RematchCall(
        text=describe_rematch(game, game.rematch),
        url=game.rematch.get_absolute_url(),
        button=_("Join the rematch") if game.held else _("Watch the rematch"),
    )


def find_starter(game: ViewerGame, rematch: Game) -> Player | None:
    """Return the player of this game who opened the rematch; None if nobody with a seat did."""
    return next((player for player in game.players if player.visitor_id == rematch.host_id and not player.level), None)


def describe_rematch(game: ViewerGame, rematch: Game) -> str:
    """Return the sentence that there is a rematch, and who opened it."""
    starter = find_starter(game, rematch)
    return _("%(name)s has started a rematch.") % {"name": starter.name} if starter else _("There is a rematch.")


def build_banner(game: ViewerGame, refusal: str) -> Banner | None:
    """Return the line above the game: a refusal, the final round, or what has become of the game; None for nothing."""
    state, scores = game.state, [player.score for player in game.state.players]
    if refusal:
        return Banner("error", refusal)
    if game.is_abandoned:
        return Banner("info", _("This game was abandoned. Its dice can be verified."))
    if state.final and not state.final_stands and not state.finished:
        return Banner("info", _("The target is now %(n)s.") % {"n": number(state.target)})
    if state.final and not state.finished:
        ahead = max((seat for seat, player in enumerate(state.players) if player.active), key=lambda seat: scores[seat])
        values, yours = {"name": state.players[ahead].name, "score": number(scores[ahead])}, ahead in game.called_you
        if state.extra and state.tied:
            named = [seat for seat in state.tied if seat not in game.called_you]
            tied = {**values, "names": join_names([state.players[seat].name for seat in named])}
            if len(named) < len(state.tied):
                return Banner("tie", _("Tie at %(score)s. You and %(names)s play one more round.") % tied)
            return Banner("tie", _("Tie at %(score)s. %(names)s play one more round.") % tied)
        if state.extra:
            return Banner("tie", _("Tie at %(score)s. Everyone plays one more round.") % values)
        if state.ruleset.ending == "rounds":
            return Banner("final", describe_last_round(state, values, yours=yours))
        if game.is_yours and state.player in state.due:
            return Banner("final", _("Final round. %(name)s has %(score)s. You have one turn left.") % values)
        final = _("Final round. You have %(score)s.") if yours else _("Final round. %(name)s has %(score)s.")
        return Banner("final", final % values)
    moved_on = game.row.table_version < game.row.version
    last = None if moved_on or not game.shared or game.row.asking_id else next(iter(game.changes), None)
    if last and last.kind == "refused" and last.place >= game.row.place and last.player:
        return Banner("info", describe_change(last))
    return None
