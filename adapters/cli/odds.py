"""``rollbook odds``: the line of an action, asked before it is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from adapters.cli.desk import Desk
from adapters.cli.options import desk_of, shared
from adapters.cli.verbs import VerbCommand, Verbs, verb_of

if TYPE_CHECKING:
    from domain.verbs import Action


class Chances(Verbs):
    """The verbs as subcommands that only count."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A verb. Raises NotFound with the nearest verbs."""
        return Chance(verb_of(desk_of(ctx).campaign(), cmd_name))


class Chance(VerbCommand):
    """One verb: the line is that of ``rollbook do``, without dice, because none has fallen yet."""

    without = ("dice", "why")

    def invoke(self, ctx: click.Context) -> Any:
        """Count out what may come of it."""
        return tell(desk_of(ctx), self.action, ctx.params["said"])


OUT_OF_TURN = "out_of_turn"
"""The parameter by which a GM waives whose turn it is, where a verb has one."""


@click.group(
    cls=Chances,
    subcommand_metavar="VERB ...",
    context_settings={"max_content_width": 110},
    short_help="How likely everything is that may come of an action.",
)
@shared
def odds() -> None:
    """How likely everything is that may come of an action, exactly, before a die falls.

    \b
    rollbook odds attack robin guard longbow --distance 40     the line is that of: rollbook do ...
    rollbook odds check robin dex --target hard

    The action is played out by its own rules for all that its dice may show. Nothing is recorded, no die is drawn from the
    session's stream, and no session need be open.
    """


def tell(desk: Desk, action: type[Action], said: Sequence[str]) -> None:
    """Count out, and show. Raises Misspoken, and what the action itself would be refused with.

    Somebody may ask before it is their turn: whoever asks as the GM is answered as if the turn had come.
    """
    from adapters.cli import odds_data, show, show_odds
    from adapters.spoken import Misspoken, find_seat, read, take_apart
    from domain.verbs import parameters

    campaign = desk.campaign()
    spoken = take_apart(action, said)
    if spoken.dice is not None:
        raise Misspoken("Odds are asked for before the dice fall: leave the dice out.")
    if campaign.damage:
        desk.remark(campaign.damage)
    before = campaign.state
    given = read(action, spoken.given, before)
    if spoken.seat is None and any(parameter.name == OUT_OF_TURN for parameter in parameters(action)):
        given = {OUT_OF_TURN: True, **given}
    with desk.wait("Counting every way …"):
        found = campaign.odds(
            action.verb,
            given,
            seat=None if spoken.seat is None or action.anonymous else find_seat(before, spoken.seat),
            secret=spoken.secret,
        )
    if desk.json:
        desk.data({"campaign": campaign.id, "verb": action.verb, **odds_data.odds_data(found)})
    else:
        show_odds.odds(desk, action.verb, found, show.names_in(before))
