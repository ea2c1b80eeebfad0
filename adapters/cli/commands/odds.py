"""odds: the exact chances of an action before it is taken."""

from collections.abc import Sequence

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.json import merged
from rollbook.adapters.cli.moments import Moment, at_option
from rollbook.adapters.cli.parameters import pass_cli, shared_parameters
from rollbook.adapters.cli.verb_commands import VerbGroup
from rollbook.adapters.cli.views.odds import show_odds
from rollbook.adapters.presentation.wording import names_in
from rollbook.application.lines.verb_line import LineError, find_seat, is_players, parse, read_parameters
from rollbook.domain.rules.action import Action, parameters

MOMENT = "rollbook.moment"
"""Under this name the group hands its moment on to the verb."""

OUT_OF_TURN = "out_of_turn"
"""The parameter by which a GM waives whose turn it is, where a verb has one."""


def _show_odds_of(cli: CliContext, verb: type[Action], said: Sequence[str]) -> None:
    """Count out, and show. Raises LineError, and what the action itself would be refused with.

    A player may ask before their turn: a question asked as the GM is answered as if the turn had come.
    """
    moment: Moment = click.get_current_context().meta[MOMENT]
    campaign, before = moment.campaign, moment.state()
    spoken = parse(verb, said)
    if spoken.dice is not None:
        raise LineError("Odds are asked for before the dice fall: leave the dice out.")
    if campaign.damage:
        cli.warn(campaign.damage)
    given = read_parameters(verb, spoken.given, before, known_only=is_players(before, spoken.seat))
    if spoken.seat is None and any(parameter.name == OUT_OF_TURN for parameter in parameters(verb)):
        given = {OUT_OF_TURN: True, **given}
    with cli.bar("Counting every way"):
        found = campaign.odds(
            verb.verb,
            given,
            seat=None if spoken.seat is None or verb.anonymous else find_seat(before, spoken.seat),
            secret=spoken.secret,
            state=before,
        )
    if cli.json:
        cli.data(merged(found, campaign=campaign.id, verb=verb.verb))
    else:
        with cli.paged():
            show_odds(cli, verb.verb, found, names_in(before))


@click.group(cls=VerbGroup, run=_show_odds_of, without=("dice", "why"), context_settings={"max_content_width": 110})
@shared_parameters
@pass_cli
@at_option
def odds(_: CliContext, *, moment: Moment) -> None:
    """How likely everything is that may come of an action, exactly, before a die falls.

    \b
    rollbook odds attack robin guard longbow --distance 40     the line is that of: rollbook do ...
    rollbook odds check robin dex --target hard
    rollbook odds --at 20 attack robin guard longbow           as it was when action 20 had been taken

    The action is played out by its own rules for all that its dice may show. Nothing is recorded, no die is drawn from the
    session's stream, and no session need be open.
    """
    click.get_current_context().meta[MOMENT] = moment
