"""odds: the exact chances of an action before it is taken."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command
from rollbook.adapters.line_commands.json import merged
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option
from rollbook.adapters.line_commands.views.odds import show_odds
from rollbook.adapters.presentation.plain_text import names_in
from rollbook.application.lines.verb_line import LineError, find_seat, is_players, parse, read_parameters
from rollbook.application.verbs import verb_of
from rollbook.domain.rules.action import Action, parameters

OUT_OF_TURN = "out_of_turn"
"""The parameter by which a GM waives whose turn it is, where a verb has one."""


def _show_odds_of(context: CommandContext, verb: type[Action], said: Sequence[str], moment: Moment) -> None:
    """Count out, and show. Raises LineError, and what the action itself would be refused with.

    A player may ask before their turn: a question asked as the GM is answered as if the turn had come.
    """
    campaign, before = moment.campaign, moment.state()
    spoken = parse(verb, said)
    if spoken.dice is not None:
        raise LineError("Odds are asked for before the dice fall: leave the dice out.")
    if campaign.session.damage:
        context.warn(campaign.session.damage)
    given = read_parameters(verb, spoken.given, before, known_only=is_players(before, spoken.seat))
    if spoken.seat is None and any(parameter.name == OUT_OF_TURN for parameter in parameters(verb)):
        given = {OUT_OF_TURN: True, **given}
    with context.bar("Counting every way"):
        found = campaign.odds(
            verb.verb,
            given,
            seat=None if spoken.seat is None or verb.anonymous else find_seat(before, spoken.seat),
            secret=spoken.secret,
            state=before,
        )
    if context.json:
        context.data(merged(found, campaign=campaign.id, verb=verb.verb))
    else:
        with context.paged():
            show_odds(context, verb.verb, found, names_in(before))


@command(before_verb=True, without=("dice", "why"))
@argument("said", nargs=-1, required=True, metavar="VERB ...")
@at_option
def odds(context: CommandContext, *, said: tuple[str, ...], moment: Moment) -> None:
    """How likely everything is that may come of an action, exactly, before a die falls.

    \b
    rollbook odds attack robin guard longbow --distance 40     the line is that of: rollbook do ...
    rollbook odds check robin dex --target hard
    rollbook odds --at 20 attack robin guard longbow           as it was when action 20 had been taken

    The action is played out by its own rules for all that its dice may show. Nothing is recorded, no die is drawn from the
    session's stream, and no session need be open.
    """
    _show_odds_of(context, verb_of(context.campaign(), said[0]), said[1:], moment)
