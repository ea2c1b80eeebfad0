"""token: commands about the tokens by which programs act from a seat, over the HTTP API."""

from contextlib import closing

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.declared_commands import clicked
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import shared_parameters
from rollbook.adapters.line_commands.declared import Words, argument, command, option
from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.tokens import MOST_DAYS, USUAL_DAYS, WantedToken, new_token, scopes_in
from rollbook.application.keeping.tokens import revoke_token as revoke_of
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.ports.seat_tokens import Scope, SeatToken
from rollbook.application.time_zones import IN_UTC


@command()
@argument("campaign")
@argument("seat")
@option(
    "--name", default="", metavar="TEXT", help="What the token is for, as the list says it; the seat's name without it."
)
@option(
    "--scope",
    "scopes",
    multiple=True,
    kind=click.Choice([scope.value for scope in Scope]),
    help="What it may be used for; read without it.",
)
@option(
    "--days", kind=click.IntRange(1, MOST_DAYS), default=USUAL_DAYS, shows_default=True, help="For how long it is good."
)
def new(cli: CliContext, campaign: str, seat: str, name: str, scopes: Words, days: int) -> None:
    """A token for a program that acts as SEAT of CAMPAIGN, over the HTTP API.

    The token is printed now and never again: only a digest of it is kept. It ends after its days, when it is revoked, and with
    the seat.

    \b
    rollbook token new sherwood Mira --name "dice bot" --scope read --scope act --days 30
    rollbook token list sherwood
    rollbook token revoke sherwood 3
    """
    opened = cli.book().campaign(campaign)
    known = find_seat(opened.state, seat)
    wanted = WantedToken(name=name or known, scopes=scopes_in(scopes or (Scope.READ,)), days=days)
    with closing(cli.book().seeds.links()) as links:
        made, token = new_token(links, opened, known, wanted)
    cli.tell(
        {**_row(opened, made), "token": token}, token, f"Good until {IN_UTC.day(made.until)}. It is shown this once."
    )


@command("list")
@argument("campaign")
def list_(cli: CliContext, campaign: str) -> None:
    """The tokens of the seats of CAMPAIGN: for whom, what for, until when, and the day of the last use."""
    opened = cli.book().campaign(campaign)
    with closing(cli.book().seeds.links()) as links:
        tokens = links.tokens_of(opened.id, opened.state.identity)
    if cli.json:
        cli.data(*(_row(opened, each) for each in tokens))
        return
    cli.print_columns([_columns(each) for each in tokens], right=(0,))
    if not tokens:
        cli.print("No token yet.")


@command()
@argument("campaign")
@argument("number", kind=click.IntRange(1))
def revoke(cli: CliContext, campaign: str, number: int) -> None:
    """End the token of that NUMBER. Its next request is refused, whichever server it asks."""
    opened = cli.book().campaign(campaign)
    with closing(cli.book().seeds.links()) as links:
        ended = revoke_of(links, opened, number)
    cli.tell(_row(opened, ended), f"The token {printable(ended.name)} of {printable(ended.seat)} has ended.")


def _row(campaign: Campaign, token: SeatToken) -> dict[str, object]:
    return {
        "campaign": campaign.id,
        "number": token.number,
        "seat": token.seat,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "made": token.made,
        "until": token.until,
        "revoked": token.ended,
    }


def _columns(token: SeatToken) -> tuple[str, ...]:
    end = f"revoked {IN_UTC.day(token.ended)}" if token.ended else f"until {IN_UTC.day(token.until)}"
    return str(token.number), printable(token.seat), printable(token.name), " ".join(sorted(token.scopes)), end


COMMANDS = {
    new: "A token for a program that acts from a seat.",
    list_: "The tokens of a campaign.",
    revoke: "End a token.",
}
"""Each command, and its line in ``rollbook token --help``."""


class TokenGroup(PagedHelp, click.Group):
    """The commands about tokens."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        return list(self.commands)


@click.group(cls=TokenGroup)
@shared_parameters
def token() -> None:
    """Commands about the tokens of programs that act from a seat."""


for each, short_help in COMMANDS.items():
    token.add_command(clicked(each))
    clicked(each).short_help = short_help
