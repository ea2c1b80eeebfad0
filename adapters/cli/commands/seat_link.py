"""seat-link: a link by which somebody sits down at the table in a browser."""

from __future__ import annotations

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command, complete_seat
from rollbook.adapters.cli.qr import qr_lines
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.rules.value_checks import check_name

NOT_SERVED = "http://127.0.0.1:7655"
"""Where a table that nobody has served yet will be."""


@command("seat-link")
@click.argument("words", nargs=-1, metavar="[[CAMPAIGN] SEAT]", shell_complete=complete_seat)
@click.option("--qr", is_flag=True, help="Also print the link as a QR code, for a telephone.")
@click.option("--revoke", is_flag=True, help="End all earlier links of that seat; who took one has to get a new one.")
def seat_link(cli: CliContext, words: tuple[str, ...], qr: bool, revoke: bool) -> None:
    """A new link to a seat, for the table that rollbook serve shows. Without a SEAT: the host's own, good for a day, here.

    The link is shown now and never again: only a digest of it is kept. Who opens it confirms with a button, and that browser
    keeps the seat for thirty days after each visit. A seat is made with: rollbook do take-seat NAME

    \b
    rollbook seat-link Ana                a link for Ana, in the campaign used last
    rollbook seat-link sherwood Ana --qr  and as a QR code
    rollbook seat-link Ana --revoke       Ana's telephone is lost: her other links end
    rollbook seat-link                    the host's own link, for this computer alone
    """
    if len(words) > 2:
        raise click.UsageError("Name a seat, or a campaign and a seat: rollbook seat-link sherwood Ana")
    if len(words) == 2:
        cli.named = words[0]
    links = cli.book().seeds.links()
    try:
        answer = _new_link(cli, links, words[-1], revoke=revoke) if words else _hosts_link(links, revoke=revoke)
    finally:
        links.close()
    if cli.json:
        cli.data(answer)
        return
    cli.print(answer["link"])
    if qr:
        cli.print(*qr_lines(answer["link"]))


def _hosts_link(links: SeatLinks, *, revoke: bool) -> dict[str, str]:
    if revoke:
        raise Refused(
            "The host's links end by themselves, a day after they were made. Name a seat to revoke its links."
        )
    _, token = links.make_hosts()
    return {"link": f"{(links.addresses() or (NOT_SERVED,))[-1]}/join/{token}", "campaign": "", "seat": ""}


def _new_link(cli: CliContext, links: SeatLinks, named: str, *, revoke: bool) -> dict[str, str]:
    check_name(named, what="A seat's name")
    campaign = cli.campaign()
    if campaign.session.timeline is not None:
        raise Refused(f"{campaign.id} is a timeline; links lead to the campaign itself.")
    state = campaign.state
    seat = find_seat(state, named)
    if seat not in state.seats:
        raise not_found("seat", named, state.seats)
    if not state.seats[seat].present:
        raise Refused(f"{seat} has left the table. Give the seat back with: rollbook do take-seat {seat}")
    if revoke:
        for link in links.of(campaign.id, state.identity):
            if link.seat == seat:
                links.revoke(link.number)
    _, token = links.make(campaign.id, state.identity, seat)
    return {"link": f"{(links.addresses() or (NOT_SERVED,))[0]}/join/{token}", "campaign": campaign.id, "seat": seat}
